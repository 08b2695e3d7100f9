package dev.stoker.stage.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process as {@code /proc} tells of it. Its number may be given to another later; number and start together are not.
 *
 * @param session the number of its session's first process; empty if the process is not there
 * @param started when it started, in ticks since the node did; empty if the process is not there
 * @param isInForeground whether its terminal sends it, and all of its group, the keys that are signals
 */
public record ProcessStat(String session, String started, boolean isInForeground) {
    private static final int GROUP = 5 - 3;
    private static final int SESSION = 6 - 3;
    private static final int TERMINAL_GROUP = 8 - 3;
    private static final int STARTED = 22 - 3;

    public static ProcessStat of(String process) {
        try {
            String stat = Files.readString(Path.of("/proc", process, "stat"));
            // The second field is the command's name in parentheses, and may hold anything; fields count from the
            // third.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return new ProcessStat(fields[SESSION], fields[STARTED], fields[GROUP].equals(fields[TERMINAL_GROUP]));
        } catch (IOException | IndexOutOfBoundsException e) {
            return new ProcessStat("", "", false);
        }
    }
}
