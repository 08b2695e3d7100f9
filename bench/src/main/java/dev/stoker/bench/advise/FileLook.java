package dev.stoker.bench.advise;

import dev.stoker.os.Posix;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Opens some files for the first time, looks at their sizes and first bytes, and takes the time that the opening takes:
 * some one after another, the others many at once.
 */
final class FileLook {
    /** More than any header that is looked at, NumPy's among them, usually has. */
    static final int HEAD_BYTES = 4096;

    private static final int MOST_ONE_BY_ONE = 256;
    private static final double SHARE_ONE_BY_ONE = 0.4;

    private final Path root;
    private final byte[] prefix;
    private final List<byte[]> names;
    private final AtomicReferenceArray<@Nullable Look> looks;

    /** A file; {@code problem} is empty if it could be read. */
    record Look(byte[] name, long size, byte[] head, long openNanos, String problem) {
        boolean isGood() {
            return problem.isEmpty();
        }
    }

    /** What was found. {@code metadata} is null if no file could be opened. */
    record Found(List<Look> files, DataSurvey.Problems problems, StorageTrial.@Nullable Metadata metadata) {}

    private FileLook(Path root, List<byte[]> names) {
        this.root = root;
        this.prefix = (root + "/").getBytes(StandardCharsets.UTF_8);
        this.names = names;
        this.looks = new AtomicReferenceArray<>(names.size());
    }

    static Found look(Path root, List<byte[]> names, double seconds) {
        return new FileLook(root, names).look(seconds);
    }

    private Found look(double seconds) {
        int alone = Math.min(MOST_ONE_BY_ONE, (names.size() + 1) / 2);
        FixedPool.Done one = FixedPool.run(1, alone, Deadline.after(seconds * SHARE_ONE_BY_ONE), this::look);
        int begin = one.count();
        FixedPool.Done many = FixedPool.run(
                StorageTrial.MANY,
                names.size() - begin,
                Deadline.after(seconds * (1 - SHARE_ONE_BY_ONE)),
                i -> look(begin + i));
        return found(one, many);
    }

    private void look(int number) {
        byte[] name = names.get(number);
        try {
            looks.set(number, open(name));
        } catch (IOException e) {
            looks.set(number, new Look(name, 0, new byte[0], 0, String.valueOf(e.getMessage())));
        }
    }

    private Look open(byte[] name) throws IOException {
        long start = System.nanoTime();
        int file = Posix.open(Posix.HERE, absolute(name));
        try (Arena arena = Arena.ofConfined()) {
            Posix.Stat stat = Posix.stat(file);
            long nanos = System.nanoTime() - start;
            if (stat.kind() != Posix.Kind.FILE) {
                return new Look(name, 0, new byte[0], 0, "it is no longer a file");
            }
            MemorySegment head = arena.allocate(Math.min(HEAD_BYTES, stat.size()));
            long read = Posix.read(file, head, 0);
            return new Look(name, stat.size(), head.asSlice(0, read).toArray(ValueLayout.JAVA_BYTE), nanos, "");
        } finally {
            Posix.close(file);
        }
    }

    private byte[] absolute(byte[] name) {
        byte[] path = Arrays.copyOf(prefix, prefix.length + name.length);
        System.arraycopy(name, 0, path, prefix.length, name.length);
        return path;
    }

    private Found found(FixedPool.Done one, FixedPool.Done many) {
        var good = new ArrayList<Look>();
        var nanos = new ArrayList<Long>();
        long bad = 0;
        String first = "";
        for (int i = 0; i < looks.length(); i++) {
            Look look = looks.get(i);
            if (look == null) {
                continue; // the time was over
            }
            if (look.isGood()) {
                good.add(look);
                if (i < one.count()) {
                    nanos.add(look.openNanos());
                }
            } else if (bad++ == 0) {
                first = root + "/" + new String(look.name(), StandardCharsets.UTF_8) + ": " + look.problem();
            }
        }
        return new Found(good, new DataSurvey.Problems(bad, first), metadata(nanos, many));
    }

    private static StorageTrial.@Nullable Metadata metadata(List<Long> nanos, FixedPool.Done many) {
        if (nanos.isEmpty()) {
            return null;
        }
        SizeSpread spread =
                SizeSpread.of(nanos.stream().mapToLong(Long::longValue).toArray());
        return new StorageTrial.Metadata(
                spread.median() / 1e3,
                spread.p99() / 1e3,
                1e9 / spread.mean(),
                many.count() < 2 * StorageTrial.MANY ? 0 : many.perSecond());
    }
}
