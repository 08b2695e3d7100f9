package dev.stoker.formats.tar;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * Names of members as WebDataset takes them apart: the first dot of the base name ends the stem, which the members of
 * one sample share, and begins the extension. {@code a/b.c/d.e.jpg} is {@code a/b.c/d} and {@code e.jpg}.
 */
final class TarNames {
    private TarNames() {}

    /** The number of bytes of the stem; all of them if there is no dot. */
    static int stemLength(byte[] name) {
        int dot = name.length;
        for (int i = name.length - 1; i >= 0 && name[i] != '/'; i--) {
            if (name[i] == '.') {
                dot = i;
            }
        }
        return dot;
    }

    /** What follows the stem and its dot, in small letters, as WebDataset compares it; empty if there is none. */
    static String extension(byte[] name) {
        int stem = stemLength(name);
        return stem == name.length
                ? ""
                : text(Arrays.copyOfRange(name, stem + 1, name.length)).toLowerCase(Locale.ROOT);
    }

    static boolean sameStem(byte[] a, byte[] b) {
        return Arrays.equals(a, 0, stemLength(a), b, 0, stemLength(b));
    }

    /** The name of another member of the same sample. */
    static byte[] sibling(byte[] name, String suffix) {
        int stem = stemLength(name);
        byte[] end = suffix.getBytes(StandardCharsets.UTF_8);
        byte[] sibling = Arrays.copyOf(name, stem + 1 + end.length);
        sibling[stem] = '.';
        System.arraycopy(end, 0, sibling, stem + 1, end.length);
        return sibling;
    }

    /** The name of a sample's main file where samples have no keys. */
    static byte[] numbered(long sample, boolean npy) {
        return String.format(Locale.ROOT, npy ? "%09d.npy" : "%09d.bin", sample).getBytes(StandardCharsets.US_ASCII);
    }

    /** As messages show it. */
    static String text(byte[] name) {
        return new String(name, StandardCharsets.UTF_8);
    }
}
