package dev.stoker.text;

/** Strict UTF-8: the JDK's decoders replace what is malformed, which would change a key without a word. */
public final class Utf8 {
    private Utf8() {}

    /**
     * The index of the first byte in [from, to) that does not begin a well-formed sequence (overlong forms, surrogates
     * and values above U+10FFFF are malformed too), or -1 if all is well-formed.
     */
    public static int firstMalformed(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to) {
            if (bytes[i] >= 0) {
                i++;
                continue;
            }
            int length = sequenceLength(bytes, i, to);
            if (length == 0) {
                return i;
            }
            i += length;
        }
        return -1;
    }

    /** The length of the multi-byte sequence at {@code i}, or 0 if it is malformed. */
    private static int sequenceLength(byte[] bytes, int i, int to) {
        int lead = bytes[i] & 0xFF;
        int length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
        if (length == 0 || length > to - i) {
            return 0;
        }
        // The second byte alone tells overlong forms (E0, F0), surrogates (ED) and values above U+10FFFF (F4).
        int second = bytes[i + 1] & 0xFF;
        int least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        int most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (second < least || second > most) {
            return 0;
        }
        for (int k = 2; k < length; k++) {
            if ((bytes[i + k] & 0xC0) != 0x80) {
                return 0;
            }
        }
        return length;
    }
}
