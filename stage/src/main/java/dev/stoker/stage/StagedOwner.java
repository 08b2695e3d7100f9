package dev.stoker.stage;

import dev.stoker.StokerException;
import dev.stoker.stage.node.ProcessHome;
import dev.stoker.stage.node.ProcessStat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * On whose life staged data depend that no running command holds: {@code stoker stage} itself is over when they are
 * used. Inside a Slurm job it is the job: as long as one of its processes, which have its number in their environment,
 * lives on this node. Elsewhere it is the session, in general a terminal's shell or a script of cron.
 */
final class StagedOwner {
    /** Nobody: the data are needed as long as their lock is held. */
    static final String NONE = "";

    private static final String SLURM = "Slurm job ";
    private static final String SESSION = "session ";
    /** Inside a container the session's first process may be out of sight: then only the user can tell. */
    private static final String UNKNOWN = "unknown";

    /** Whether an owner lives. */
    enum Life {
        LIVES,
        ENDED,
        /** It is on another node or in another container, so that cannot be told from here. */
        ELSEWHERE
    }

    private StagedOwner() {}

    /** The owner of what this process stages. */
    static String current(Map<String, String> environment) {
        String job = environment.getOrDefault("SLURM_JOB_ID", "");
        if (!job.isEmpty()) {
            return SLURM + job;
        }
        String leader = ProcessStat.of("self").session();
        String started = ProcessStat.of(leader).started();
        return started.isEmpty() ? UNKNOWN : SESSION + leader + " " + started;
    }

    /** Whether an owner, whose home is given, lives. */
    static Life life(String owner, ProcessHome home, ProcessHome here, Map<String, String> environment) {
        boolean canTell = owner.equals(NONE) ? home.sharesLocks(here) : home.sharesProcesses(here);
        if (!canTell) {
            return Life.ELSEWHERE;
        }
        return isAlive(owner, environment) ? Life.LIVES : Life.ENDED;
    }

    private static boolean isAlive(String owner, Map<String, String> environment) {
        if (owner.startsWith(SLURM)) {
            String job = owner.substring(SLURM.length());
            return job.equals(environment.get("SLURM_JOB_ID")) || hasProcess("SLURM_JOB_ID=" + job);
        }
        if (owner.startsWith(SESSION)) {
            String[] words = owner.substring(SESSION.length()).split(" ");
            return words.length == 2 && ProcessStat.of(words[0]).started().equals(words[1]);
        }
        return owner.equals(UNKNOWN);
    }

    /** Whether a process of this user has a variable; those of others cannot be looked into, and do not count. */
    private static boolean hasProcess(String variable) {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (environment(process).contains("\0" + variable + "\0")) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new StokerException("[/proc] cannot be read: " + e.getMessage(), e);
        }
    }

    private static String environment(Path process) {
        try {
            return "\0" + Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1) + "\0";
        } catch (IOException e) {
            return ""; // another user's, or it has just ended
        }
    }
}
