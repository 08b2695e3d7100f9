package dev.stoker.io;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 over what a plan, or an order, is made from. */
public final class Fingerprints {
    private static final long STEP = 1 << 30;

    private Fingerprints() {}

    public static MessageDigest begin() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    public static void add(MessageDigest digest, MemorySegment bytes) {
        for (long at = 0; at < bytes.byteSize(); at += STEP) {
            digest.update(
                    bytes.asSlice(at, Math.min(STEP, bytes.byteSize() - at)).asByteBuffer());
        }
    }

    /** Adds a text and its end, so that two texts never read like another two. */
    public static void add(MessageDigest digest, String text) {
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0xff);
    }

    public static void add(MessageDigest digest, long... numbers) {
        for (long number : numbers) {
            for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
                digest.update((byte) (number >> shift));
            }
        }
    }

    public static String end(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }
}
