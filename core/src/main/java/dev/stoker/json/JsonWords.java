package dev.stoker.json;

import dev.stoker.text.TextInput;
import java.math.BigInteger;

/** Numbers, true, false and null: what ends where something that cannot belong to a word begins. */
final class JsonWords {
    /** No sensible number is longer, and the time that a BigInteger takes grows with the square of its digits. */
    static final int MAX_BYTES = 1000;

    private static final boolean[] STOPS =
            TextInput.stopsExcept("0123456789+-._abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

    private final TextInput input;

    JsonWords(TextInput input) {
        this.input = input;
    }

    void literal(String expected) {
        input.beginToken(MAX_BYTES);
        input.takeUntil(STOPS);
        String found = input.endToken();
        if (!found.equals(expected)) {
            throw input.tokenError(expected, shortened(found));
        }
    }

    Number number() {
        boolean integer = takeNumber();
        if (integer && fitsLong()) {
            return tokenAsLong();
        }
        String text = input.endToken();
        if (!integer) {
            return finiteDouble(text);
        }
        var big = new BigInteger(text);
        if (big.bitLength() < Long.SIZE) {
            return big.longValue();
        }
        return big;
    }

    long numberAsLong() {
        if (takeNumber() && fitsLong()) {
            return tokenAsLong();
        }
        String text = input.endToken();
        try {
            // It is a number of JSON already, so what this refuses is a fraction, an exponent or too large.
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw input.tokenError("an integer of 64 bits", shortened(text));
        }
    }

    double numberAsDouble() {
        takeNumber();
        return finiteDouble(input.endToken());
    }

    /** Takes the number into the token, and says whether it is an integer. */
    private boolean takeNumber() {
        input.beginToken(MAX_BYTES);
        input.takeUntil(STOPS);
        int length = input.tokenLength();
        int whole = input.tokenByte(0) == '-' ? 1 : 0;
        int i = digitsFrom(whole);
        boolean valid = i > whole && (i == whole + 1 || input.tokenByte(whole) != '0');
        boolean integer = i == length;
        if (valid && i < length && input.tokenByte(i) == '.') {
            int fraction = i + 1;
            i = digitsFrom(fraction);
            valid = i > fraction;
        }
        if (valid && i < length && (input.tokenByte(i) | 0x20) == 'e') {
            int exponent = i + 1;
            if (exponent < length && (input.tokenByte(exponent) == '+' || input.tokenByte(exponent) == '-')) {
                exponent++;
            }
            i = digitsFrom(exponent);
            valid = i > exponent;
        }
        if (!valid || i < length) {
            throw input.tokenError("a number", shortened(input.endToken()));
        }
        return integer;
    }

    private int digitsFrom(int index) {
        int i = index;
        while (i < input.tokenLength() && input.tokenByte(i) >= '0' && input.tokenByte(i) <= '9') {
            i++;
        }
        return i;
    }

    /** Whether the integer in the token surely fits: 18 digits do, whatever they are. */
    private boolean fitsLong() {
        return input.tokenLength() <= 18;
    }

    /** Ends the token. */
    private long tokenAsLong() {
        boolean negative = input.tokenByte(0) == '-';
        long value = 0;
        for (int i = negative ? 1 : 0; i < input.tokenLength(); i++) {
            value = value * 10 + (input.tokenByte(i) - '0');
        }
        input.dropToken();
        return negative ? -value : value;
    }

    private double finiteDouble(String text) {
        double value = Double.parseDouble(text);
        if (Double.isInfinite(value)) {
            throw input.tokenError("a number within the range of a double", shortened(text));
        }
        return value;
    }

    private static String shortened(String found) {
        return "'" + (found.length() <= 40 ? found : found.substring(0, 40) + "...") + "'";
    }
}
