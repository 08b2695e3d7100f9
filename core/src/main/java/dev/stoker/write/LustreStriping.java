package dev.stoker.write;

import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.os.FileProbe;
import dev.stoker.text.Sizes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a file is striped over the targets of Lustre: their number, and the bytes that go to one before the next.
 * Decided when a file is made, by the filesystem's own command {@code lfs}; that command also tells whether a folder is
 * on Lustre at all.
 *
 * @param count servers; {@link #AUTO} to choose by the size of the file; {@link #ALL} for all there are
 * @param size bytes of a stripe, a multiple of 64 KiB; 0 where no stripes are wanted
 */
public record LustreStriping(int count, long size) {
    public static final LustreStriping NONE = new LustreStriping(0, 0);
    private static final int AUTO = 0;
    private static final int ALL = -1;
    private static final long AUTO_SIZE = 4 << 20;
    private static final long UNIT = 64 << 10;
    /** One more server for each of these many bytes: what one takes within a second. */
    private static final long BYTES_PER_SERVER = 1L << 30;
    /** A rank that writes less is no reason for one more server. */
    private static final long BYTES_PER_RANK = 64 << 20;

    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;
    private static final int MOST = 2000;
    private static final int LFS_SECONDS = 60;
    private static final Pattern GIVEN = Pattern.compile("(-1|[0-9]{1,4}):(.*)");

    /** Reads {@code auto} or {@code COUNT:SIZE}, such as {@code 8:4m}. */
    public static LustreStriping of(String text) {
        if (text.equals("auto")) {
            return new LustreStriping(AUTO, AUTO_SIZE);
        }
        Matcher given = GIVEN.matcher(text);
        if (given.matches()) {
            int count = Integer.parseInt(given.group(1));
            long size = Sizes.of(given.group(2));
            if (count != 0 && count <= MOST && size > 0 && size < 4L << 30 && size % UNIT == 0) {
                return new LustreStriping(count, size);
            }
        }
        throw new UsageException("--stripe should be auto or COUNT:SIZE, such as 8:4m, but is '" + text
                + "'; COUNT is 1 to " + MOST + ", or -1 for all targets, SIZE a multiple of 64k below 4g");
    }

    /** Makes an empty file with stripes where that is possible and wanted; returns a line that says what was done. */
    String make(Path file, long length, int ranks) {
        if (size == 0) {
            return "";
        }
        if (FileProbe.exists(file)) {
            return "--stripe: " + file.getFileName() + " already exists and keeps its stripes";
        }
        if (!isOnLustre(file.getParent())) {
            return "--stripe does not apply: " + file.getParent() + " is not on Lustre, or the command lfs is missing";
        }
        int servers = count == AUTO ? servers(length, ranks) : count;
        var command = new ArrayList<>(List.of("lfs", "setstripe", "-c", String.valueOf(servers)));
        command.addAll(List.of("-S", String.valueOf(size), file.toString()));
        if (!isDone(command)) {
            throw new StokerException(
                    file,
                    "cannot be striped: '" + String.join(" ", command) + "' failed; leave out --stripe, or change it");
        }
        return "striped over " + (servers == ALL ? "all" : servers) + (servers == 1 ? " target" : " targets") + " in "
                + stripeSize() + " stripes";
    }

    /** As Lustre users write it: a stripe size is a multiple of 64 KiB, and mostly of 1 MiB. */
    private String stripeSize() {
        return size % MIB == 0 ? size / MIB + " MiB" : size / KIB + " KiB";
    }

    private static int servers(long length, int ranks) {
        long bySize = length / BYTES_PER_SERVER;
        long byRanks = Math.min(ranks, length / BYTES_PER_RANK);
        return Math.clamp(Math.max(bySize, byRanks), 1, MOST);
    }

    /** Whether a folder is on Lustre, as far as its own command tells. */
    public static boolean isOnLustre(@Nullable Path folder) {
        return isDone(List.of("lfs", "getstripe", "-d", String.valueOf(folder)));
    }

    private static boolean isDone(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(LFS_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StokerException("interrupted", e);
        }
    }
}
