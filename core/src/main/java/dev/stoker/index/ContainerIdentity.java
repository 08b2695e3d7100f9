package dev.stoker.index;

import dev.stoker.io.InputFile;
import dev.stoker.io.RangeReader;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What ties a sidecar to its container: the container's size, and SHA-256 over its first and last {@value #EDGE} bytes
 * (over all of it, if it has at most twice as many).
 */
public record ContainerIdentity(long size, String sha256) {
    public static final int EDGE = 64 << 10;
    static final int HASH_BYTES = 32;
    /** Of a container that is a folder, which has neither size nor bytes. */
    public static final ContainerIdentity NONE = new ContainerIdentity(0, "00".repeat(HASH_BYTES));

    public static ContainerIdentity of(Path path) {
        try (InputFile file = InputFile.open(path)) {
            return of(file.size(), file::readFully);
        }
    }

    /** Of a file that has so many bytes. */
    public static ContainerIdentity of(long size, RangeReader file) {
        MessageDigest digest = digest();
        if (size > 2L * EDGE) {
            add(digest, file, 0, EDGE);
            add(digest, file, size - EDGE, EDGE);
        } else {
            add(digest, file, 0, (int) size);
        }
        return new ContainerIdentity(size, HexFormat.of().formatHex(digest.digest()));
    }

    private static void add(MessageDigest digest, RangeReader file, long offset, int length) {
        var bytes = new byte[length];
        file.read(offset, MemorySegment.ofArray(bytes));
        digest.update(bytes);
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    byte[] hash() {
        return HexFormat.of().parseHex(sha256);
    }
}
