package dev.stoker.format;

import dev.stoker.StokerException;
import dev.stoker.sample.Samples;
import dev.stoker.text.Utf8;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Keys as paths of files: which of them can be names in an archive, and which sets of them can stand together in one
 * folder.
 */
public final class TreeKeys {
    /** The longest name of one file or folder on Linux. */
    private static final int MAX_NAME_BYTES = 255;

    /** The longest path that Linux opens, without the NUL at its end. */
    public static final int MAX_PATH_BYTES = 4095;

    /** So much of a key that is too long is shown. */
    private static final int SHOWN_BYTES = 64;

    /** The hash of nothing. */
    private static final long NO_BYTES = 0xcbf29ce484222325L;

    private TreeKeys() {}

    /** Why a key cannot be the name of a file in an archive, or null if it can. */
    public static @Nullable String refusal(byte[] key) {
        if (key.length == 0) {
            return "it is empty";
        }
        if (key[0] == '/') {
            return "it begins with '/'";
        }
        if (key[key.length - 1] == '/') {
            return "it ends with '/', as only a folder's name does";
        }
        if (Utf8.firstMalformed(key, 0, key.length) >= 0) {
            return "it is not UTF-8";
        }
        for (int start = 0, i = 0; i <= key.length; i++) {
            if (i < key.length && key[i] == 0) {
                return "it has a NUL in it";
            }
            if (i == key.length || key[i] == '/') {
                if (i - start == 2 && key[start] == '.' && key[start + 1] == '.') {
                    return "its part '..' leaves the folder";
                }
                start = i + 1;
            }
        }
        return null;
    }

    /**
     * Refuses samples that cannot all be files of one folder: by their names, because two have the same, or because one
     * is a file where another needs a folder.
     *
     * @param format the name of the format that asks
     */
    public static void requireTree(String format, Samples samples, int keyField) {
        int count = Math.toIntExact(samples.count());
        var keys = new SmallValues(samples, keyField);
        var hashes = new long[count];
        for (int i = 0; i < count; i++) {
            requireShort(format, samples, keyField, i);
            byte[] key = keys.read(i);
            String refusal = treeRefusal(key);
            if (refusal != null) {
                throw new StokerException("format " + format + " cannot hold the key '" + shown(key) + "': " + refusal);
            }
            hashes[i] = hash(key);
        }
        // Eight bytes for each key; only where two hashes meet are the keys themselves compared.
        Arrays.sort(hashes);
        requireOnce(format, samples, keyField, hashes);
        byte[] folder = {};
        for (int i = 0; i < count; i++) {
            byte[] key = keys.read(i);
            if (!isIn(folder, key)) {
                folder = Arrays.copyOf(key, folderLength(key));
                requireNoFiles(format, samples, keyField, key, hashes);
            }
        }
    }

    /** Before the key is read: it may have any length. */
    private static void requireShort(String format, Samples samples, int keyField, long sample) {
        long bytes = samples.length(sample, keyField);
        if (bytes > MAX_PATH_BYTES) {
            try (var arena = Arena.ofConfined()) {
                MemorySegment start = arena.allocate(SHOWN_BYTES);
                samples.read(sample, keyField, 0, start);
                throw new StokerException("format " + format + " cannot hold the key '"
                        + shown(start.toArray(ValueLayout.JAVA_BYTE)) + "…': a path has at most " + MAX_PATH_BYTES
                        + " bytes, this one has " + bytes);
            }
        }
    }

    /** The bytes of the folder that a key is in, with its slash; 0 if it is in none. */
    private static int folderLength(byte[] key) {
        int length = key.length;
        while (length > 0 && key[length - 1] != '/') {
            length--;
        }
        return length;
    }

    private static boolean isIn(byte[] folder, byte[] key) {
        int length = folderLength(key);
        return Arrays.equals(folder, 0, folder.length, key, 0, length);
    }

    private static @Nullable String treeRefusal(byte[] key) {
        String refusal = refusal(key);
        if (refusal != null) {
            return refusal;
        }
        for (int start = 0, i = 0; i <= key.length; i++) {
            if (i == key.length || key[i] == '/') {
                if (i == start || (i - start == 1 && key[start] == '.')) {
                    return "its part '" + (i == start ? "" : ".") + "' names no file";
                }
                if (i - start > MAX_NAME_BYTES) {
                    return "a file's name has at most " + MAX_NAME_BYTES + " bytes, this one has " + (i - start);
                }
                start = i + 1;
            }
        }
        return null;
    }

    private static void requireOnce(String format, Samples samples, int keyField, long[] hashes) {
        long[] twice = IntStream.range(1, hashes.length)
                .filter(i -> hashes[i] == hashes[i - 1])
                .mapToLong(i -> hashes[i])
                .toArray();
        for (long i = 0; twice.length > 0 && i < hashes.length; i++) {
            byte[] key = SmallValues.read(samples, i, keyField);
            if (Arrays.binarySearch(twice, hash(key)) >= 0 && times(samples, keyField, key) > 1) {
                throw new StokerException("format " + format + " cannot hold two samples with the key '" + shown(key)
                        + "': each is a file of that name; choose a format that can (see: stoker formats)");
            }
        }
    }

    private static void requireNoFiles(String format, Samples samples, int keyField, byte[] key, long[] hashes) {
        long hash = NO_BYTES;
        for (int end = 0; end < key.length; end++) {
            // The hash of what is before the slash, carried along: keys may have very many slashes.
            if (key[end] == '/' && Arrays.binarySearch(hashes, hash) >= 0) {
                requireNoFile(format, samples, keyField, key, end);
            }
            hash = with(hash, key[end]);
        }
    }

    private static void requireNoFile(String format, Samples samples, int keyField, byte[] key, int end) {
        byte[] folder = Arrays.copyOf(key, end);
        if (times(samples, keyField, folder) > 0) {
            throw new StokerException("format " + format + " cannot hold both the keys '" + shown(folder) + "' and '"
                    + shown(key) + "': the first would be a file and a folder");
        }
    }

    private static long times(Samples samples, int keyField, byte[] key) {
        long times = 0;
        for (long i = 0; i < samples.count(); i++) {
            if (samples.length(i, keyField) == key.length
                    && Arrays.equals(key, SmallValues.read(samples, i, keyField))) {
                times++;
            }
        }
        return times;
    }

    private static long hash(byte[] key) {
        long hash = NO_BYTES;
        for (byte b : key) {
            hash = with(hash, b);
        }
        return hash;
    }

    /** FNV-1a: the hash of some bytes with one more behind them. */
    private static long with(long hash, byte next) {
        return (hash ^ (next & 0xff)) * 0x100000001b3L;
    }

    private static String shown(byte[] key) {
        return new String(key, StandardCharsets.UTF_8);
    }
}
