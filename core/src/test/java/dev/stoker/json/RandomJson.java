package dev.stoker.json;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Random values of the kinds that {@link Json#parse} gives. */
public final class RandomJson {
    private RandomJson() {}

    public static @Nullable Object value(RandomGenerator random, int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 7)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> random.nextLong() >> random.nextInt(64);
            case 3 -> finite(Double.longBitsToDouble(random.nextLong()));
            case 4 -> BigInteger.valueOf(random.nextLong() | 1).shiftLeft(64 + random.nextInt(200));
            case 5, 6 -> text(random);
            case 7 -> {
                var array = new ArrayList<@Nullable Object>();
                for (int i = random.nextInt(6); i > 0; i--) {
                    array.add(value(random, depth - 1));
                }
                yield array;
            }
            default -> {
                var object = new LinkedHashMap<String, @Nullable Object>();
                for (int i = random.nextInt(6); i > 0; i--) {
                    object.put(text(random), value(random, depth - 1));
                }
                yield object;
            }
        };
    }

    private static double finite(double value) {
        return Double.isFinite(value) ? value : 0.5;
    }

    /** Text of ASCII, controls, quotes and all planes of Unicode, without lone surrogates. */
    public static String text(RandomGenerator random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            int bound = new int[] {0x20, 0x7F, 0x7F, 0x800, 0x10000, 0x110000}[random.nextInt(6)];
            int codePoint = random.nextInt(bound);
            text.appendCodePoint(codePoint >= 0xD800 && codePoint < 0xE000 ? '"' : codePoint);
        }
        return text.toString();
    }
}
