package dev.stoker.index;

import dev.stoker.memory.MappedFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What ties a sidecar to its container: the container's size, and SHA-256 over its first and last {@value #EDGE} bytes
 * (over all of it, if it has at most twice as many). Never its time, so that a copied pair stays valid.
 */
public record Identity(long size, String sha256) {
    public static final int EDGE = 64 << 10;
    static final int HASH_BYTES = 32;
    /** Of a container that is a folder, which has neither size nor bytes. */
    public static final Identity NONE = new Identity(0, "00".repeat(HASH_BYTES));

    public static Identity of(Path file) {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ);
                var arena = Arena.ofConfined()) {
            long size = channel.size();
            MessageDigest digest = digest();
            if (size > 2L * EDGE) {
                digest.update(map(channel, 0, EDGE, arena).asByteBuffer());
                digest.update(map(channel, size - EDGE, EDGE, arena).asByteBuffer());
            } else {
                digest.update(map(channel, 0, size, arena).asByteBuffer());
            }
            return new Identity(size, HexFormat.of().formatHex(digest.digest()));
        } catch (IOException e) {
            throw MappedFile.cannotRead(file, e);
        }
    }

    private static MemorySegment map(FileChannel channel, long offset, long length, Arena arena) throws IOException {
        return channel.map(FileChannel.MapMode.READ_ONLY, offset, length, arena);
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
