package dev.stoker.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Changes real files in the ways that break readers: bits, bytes and numbers that are limits or a little off, numbers
 * copied from elsewhere (so that places point to each other), pieces doubled, moved, removed or taken from another file,
 * the end cut off. Changes meet what is not zero more often: most of a padded file says nothing.
 */
final class Mutator {
    private static final int MAX_BYTES = 64 << 10;
    private static final int MAX_CHANGES = 4;
    private static final String[] NUMBERS = {
        "0",
        "-1",
        "1",
        "2",
        "255",
        "65536",
        "2147483647",
        "2147483648",
        "4294967296",
        "9223372036854775807",
        "-9223372036854775808",
        "99999999999999999999",
        "1e308",
        "0.5"
    };

    private final List<byte[]> seeds;
    private final byte[][] words;

    Mutator(List<byte[]> seeds, List<String> words) {
        this.seeds = seeds;
        this.words = words.stream()
                .map(word -> word.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }

    /** One of the files, changed in some places. */
    byte[] next(RandomGenerator random) {
        byte[] bytes = any(random).clone();
        // Mostly one: what several changes break, one of them breaks first.
        for (int n = random.nextBoolean() ? 1 : 1 + random.nextInt(MAX_CHANGES); n > 0; n--) {
            bytes = bytes.length == 0 ? any(random).clone() : changed(bytes, random);
        }
        return bytes.length <= MAX_BYTES ? bytes : Arrays.copyOf(bytes, MAX_BYTES);
    }

    private byte[] any(RandomGenerator random) {
        return seeds.get(random.nextInt(seeds.size()));
    }

    private byte[] changed(byte[] bytes, RandomGenerator random) {
        int at = place(bytes, random);
        switch (random.nextInt(16)) {
            case 0, 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 2 -> bytes[at] = (byte) random.nextInt();
            case 3 -> bytes[at] = (byte) new int[] {0, 1, 0x7f, 0x80, 0xff}[random.nextInt(5)];
            case 4, 5, 6, 7 -> changeNumber(bytes, at, random);
            case 8 -> copyNumber(bytes, at, random);
            case 9 -> overwrite(bytes, at, any(random), random);
            case 10 -> overwrite(bytes, at, bytes.clone(), random);
            case 11 -> {
                return changedText(bytes, at, random);
            }
            case 12 -> {
                return inserted(bytes, at, any(random), random);
            }
            case 13 -> {
                return removed(bytes, at, random);
            }
            case 14 -> {
                return random.nextInt(4) == 0 ? Arrays.copyOf(bytes, at) : inserted(bytes, at, bytes, random);
            }
            default -> {
                return words.length == 0 ? changedText(bytes, at, random) : withWord(bytes, at, random);
            }
        }
        return bytes;
    }

    /** Three times of four at a byte that is not zero, or next to one. */
    private static int place(byte[] bytes, RandomGenerator random) {
        int at = random.nextInt(bytes.length);
        if (random.nextInt(4) > 0) {
            for (int tries = 0; tries < 20 && bytes[at] == 0; tries++) {
                at = random.nextInt(bytes.length);
            }
            at = Math.min(bytes.length - 1, at + random.nextInt(2));
        }
        return at;
    }

    /** A number of 2, 4 or 8 bytes becomes a limit, or a little more or less than it was. */
    private static void changeNumber(byte[] bytes, int near, RandomGenerator random) {
        int width = 2 << random.nextInt(3);
        int at = aligned(near, width, random);
        if (at + width > bytes.length) {
            return;
        }
        ByteBuffer buffer =
                ByteBuffer.wrap(bytes).order(random.nextInt(4) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        long was = switch (width) {
            case 2 -> buffer.getShort(at);
            case 4 -> buffer.getInt(at);
            default -> buffer.getLong(at);
        };
        long now = switch (random.nextInt(7)) {
            case 0 -> was + random.nextInt(17) - 8;
            case 1 -> -was;
            case 2 -> bytes.length + (long) random.nextInt(9) - 4;
            case 3 -> (1L << random.nextInt(64)) - random.nextInt(2);
            case 4 -> -1L - random.nextInt(8);
            case 5 -> random.nextInt(256);
            default -> was << random.nextInt(16);
        };
        put(buffer, at, width, now);
    }

    private static void put(ByteBuffer buffer, int at, int width, long value) {
        switch (width) {
            case 2 -> buffer.putShort(at, (short) value);
            case 4 -> buffer.putInt(at, (int) value);
            default -> buffer.putLong(at, value);
        }
    }

    private static int aligned(int at, int width, RandomGenerator random) {
        return random.nextInt(3) == 0 ? at : at / width * width;
    }

    private static void copyNumber(byte[] bytes, int near, RandomGenerator random) {
        int width = 4 << random.nextInt(2);
        int from = aligned(place(bytes, random), width, random);
        int to = aligned(near, width, random);
        if (Math.max(from, to) + width <= bytes.length) {
            System.arraycopy(bytes, from, bytes, to, width);
        }
    }

    private static void overwrite(byte[] bytes, int at, byte[] from, RandomGenerator random) {
        int length = Math.min(pieceBytes(random), Math.min(from.length, bytes.length - at));
        System.arraycopy(from, random.nextInt(from.length - length + 1), bytes, at, length);
    }

    private static byte[] inserted(byte[] bytes, int at, byte[] from, RandomGenerator random) {
        int length = Math.min(pieceBytes(random), from.length);
        int start = random.nextInt(from.length - length + 1);
        return replaced(bytes, at, at, Arrays.copyOfRange(from, start, start + length));
    }

    private static byte[] removed(byte[] bytes, int at, RandomGenerator random) {
        return replaced(bytes, at, Math.min(bytes.length, at + pieceBytes(random)), new byte[0]);
    }

    private static int pieceBytes(RandomGenerator random) {
        return 1 + random.nextInt(1 << 1 + random.nextInt(10));
    }

    /** Where there is a number in decimal digits, another one; otherwise as a word. */
    private byte[] changedText(byte[] bytes, int near, RandomGenerator random) {
        int from = near;
        for (int tries = 0; tries < 64 && !isDigit(bytes[from]); tries++) {
            from = (from + 1) % bytes.length;
        }
        if (!isDigit(bytes[from])) {
            return words.length == 0 ? bytes : withWord(bytes, near, random);
        }
        int end = from;
        while (end < bytes.length && isDigit(bytes[end])) {
            end++;
        }
        byte[] number = NUMBERS[random.nextInt(NUMBERS.length)].getBytes(StandardCharsets.US_ASCII);
        // Of the same length half of the time, so that everything behind it stays in its place.
        if (random.nextBoolean() && number.length < end - from) {
            byte[] padded = new byte[end - from];
            Arrays.fill(padded, (byte) '0');
            System.arraycopy(number, 0, padded, padded.length - number.length, number.length);
            number = padded;
        }
        return replaced(bytes, from, end, number);
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private byte[] withWord(byte[] bytes, int at, RandomGenerator random) {
        byte[] word = words[random.nextInt(words.length)];
        int end = random.nextBoolean() ? at : Math.min(bytes.length, at + word.length);
        return replaced(bytes, at, end, word);
    }

    private static byte[] replaced(byte[] bytes, int from, int end, byte[] by) {
        byte[] result = new byte[bytes.length - (end - from) + by.length];
        System.arraycopy(bytes, 0, result, 0, from);
        System.arraycopy(by, 0, result, from, by.length);
        System.arraycopy(bytes, end, result, from + by.length, bytes.length - end);
        return result;
    }
}
