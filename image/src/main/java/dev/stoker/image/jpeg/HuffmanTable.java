package dev.stoker.image.jpeg;

import java.util.Arrays;

/**
 * A Huffman table in the forms that the decoders look codes up in. Rebuilt in place by {@link HuffmanCache}.
 *
 * <p>{@link #symbols} finds one symbol from the next 11 bits. {@link #pairs} finds up to two AC symbols, with the second's
 * value, from 11 bits: most symbols are short, so this halves the look-ups. {@link #skips} finds as many AC symbols as fit
 * 13 bits, for blocks whose values are not wanted. Prefixes of longer codes lead to a second level of 5 more bits.
 */
final class HuffmanTable {
    static final int LOOK_BITS = 11;
    static final int SKIP_BITS = 13;
    private static final int LONG_BITS = 16 - LOOK_BITS;
    private static final int MAX_DC_SIZE = 11;
    private static final int MAX_AC_SIZE = 10;

    /** In {@link #pairs}: the low half is negative for a place in the second level. */
    static final int SECOND_LEVEL = 1 << 31;
    /** In the low half of a pair: no such code, or a symbol that 8-bit JPEG does not have. */
    static final int BAD = 1 << 14;
    /** In the high half of a pair: its last symbol is the end of the block. */
    static final int END = 1 << 18;

    /** Stands for "as many as it takes to leave the block", and tells an end from an overlong run. */
    private static final int LEAVE = 64;

    /** Stands for a skip table that was not built. */
    static final char[] NO_SKIPS = new char[0];

    /** A table in which no code exists. It is shared by all threads, so it is complete from the start. */
    static final HuffmanTable NONE = new HuffmanTable();

    static {
        NONE.prepareAc(false);
    }

    private final byte[] definition = new byte[16 + 256];
    private int definitionLength;
    private int hash;

    /** length << 8 | symbol; 0 for no such code; 0x8000 | place for the second level. */
    char[] symbols = new char[1 << LOOK_BITS];

    private int symbolsUsed = 1 << LOOK_BITS;

    /**
     * Low half: bits of the first code 0-5, 64 minus its value's bits 8-13, BAD 14, coefficients it advances by times 16
     * 20-30. High half: bits of both 0-5, coefficients both advance by times 16 6-17, END 18, the second's value 22-31.
     */
    long[] pairs = new long[0];

    /** bits 0-5, coefficients 6-11, end of block 12; 0 if not even one symbol fits. */
    char[] skips = NO_SKIPS;

    private char[] ownSkips = new char[0];
    private boolean pairsBuilt;
    private boolean skipsBuilt;
    /** How often this table was met again; the skip table pays for tables that many pictures share. */
    private int meetings;

    /** 16 counts and the symbols, from a DHT segment whose lengths were checked; false if the counts make no code. */
    boolean build(byte[] bytes, int at, int length, int hash) {
        System.arraycopy(bytes, at, definition, 0, length);
        definitionLength = length;
        this.hash = hash;
        pairsBuilt = false;
        skipsBuilt = false;
        skips = NO_SKIPS;
        meetings = 0;
        boolean isCode = buildSymbols();
        if (!isCode) {
            definitionLength = 0;
        }
        return isCode;
    }

    boolean is(byte[] bytes, int at, int length, int hash) {
        return this.hash == hash
                && definitionLength == length
                && Arrays.equals(definition, 0, length, bytes, at, at + length);
    }

    void meetAgain() {
        meetings++;
    }

    private boolean buildSymbols() {
        Arrays.fill(symbols, (char) 0);
        symbolsUsed = 1 << LOOK_BITS;
        int code = 0;
        int next = 16;
        for (int bits = 1; bits <= 16; bits++) {
            for (int i = definition[bits - 1] & 255; i > 0; i--) {
                if (code >= 1 << bits) {
                    return false;
                }
                addSymbol(code++, bits, definition[next++] & 255);
            }
            code <<= 1;
        }
        return true;
    }

    private void addSymbol(int code, int bits, int symbol) {
        char entry = (char) (bits << 8 | symbol);
        if (bits <= LOOK_BITS) {
            int from = code << LOOK_BITS - bits;
            Arrays.fill(symbols, from, from + (1 << LOOK_BITS - bits), entry);
            return;
        }
        int prefix = code >> bits - LOOK_BITS;
        if (symbols[prefix] == 0) {
            int place = symbolsUsed;
            symbolsUsed += 1 << LONG_BITS;
            if (symbols.length < symbolsUsed) {
                symbols = Arrays.copyOf(symbols, symbolsUsed * 2);
            }
            Arrays.fill(symbols, place, symbolsUsed, (char) 0);
            symbols[prefix] = (char) (0x8000 | place);
        }
        int rest = code & (1 << bits - LOOK_BITS) - 1;
        int from = (symbols[prefix] & 0x7fff) + (rest << 16 - bits);
        Arrays.fill(symbols, from, from + (1 << 16 - bits), entry);
    }

    /** length << 8 | symbol of the code at the top of the bits, 0 if there is none. */
    int symbol(long bits) {
        int entry = symbols[(int) (bits >>> 64 - LOOK_BITS)];
        return entry < 0x8000 ? entry : symbols[(entry & 0x7fff) + (int) (bits << LOOK_BITS >>> 64 - LONG_BITS)];
    }

    /** The code of a symbol: its bits, and how many they are from bit 16 on; -1 if it has none. */
    int codeOf(int symbol) {
        int code = 0;
        int next = 16;
        for (int bits = 1; bits <= 16; bits++) {
            for (int i = definition[bits - 1] & 255; i > 0; i--) {
                if ((definition[next++] & 255) == symbol) {
                    return bits << 16 | code;
                }
                code++;
            }
            code <<= 1;
        }
        return -1;
    }

    /** False if a symbol is larger than a difference of DC values of 8-bit samples can be. */
    boolean suitsDc() {
        for (int i = 16; i < definitionLength; i++) {
            if ((definition[i] & 255) > MAX_DC_SIZE) {
                return false;
            }
        }
        return true;
    }

    void prepareAc(boolean forSkipping) {
        if (!pairsBuilt) {
            buildPairs();
            pairsBuilt = true;
        }
        if (forSkipping && !skipsBuilt && meetings > 2) {
            buildSkips();
            skipsBuilt = true;
        }
    }

    private void buildPairs() {
        if (pairs.length < symbolsUsed) {
            pairs = new long[symbolsUsed];
        }
        for (int i = 0; i < 1 << LOOK_BITS; i++) {
            int entry = symbols[i];
            pairs[i] = entry >= 0x8000 ? SECOND_LEVEL & 0xffffffffL | entry & 0x7fff : pair(i, entry);
        }
        for (int i = 1 << LOOK_BITS; i < symbolsUsed; i++) {
            pairs[i] = single(symbols[i]);
        }
    }

    private static int advance(int symbol) {
        int size = symbol & 15;
        int run = symbol >> 4;
        return size != 0 ? run + 1 : run == 15 ? 16 : LEAVE;
    }

    private static boolean isEnd(int symbol) {
        return (symbol & 15) == 0 && symbol >> 4 != 15;
    }

    private static long entry(int bits, int size, int advance, int bothAdvance, int flags, int value, int bothBits) {
        int low = bits | (64 - size & 63) << 8 | advance * 16 << 20;
        int high = bothBits | bothAdvance * 16 << 6 | flags | value << 22;
        return (long) high << 32 | low & 0xffffffffL;
    }

    private static long single(int entry) {
        int bits = entry >> 8;
        int symbol = entry & 255;
        int size = symbol & 15;
        if (entry == 0 || size > MAX_AC_SIZE) {
            return entry(1, 0, LEAVE, LEAVE, 0, 0, 1) | BAD;
        }
        int advance = advance(symbol);
        // A symbol without a value still has one stored by the decoder's loop: it goes to a place outside the block.
        return entry(bits, size, size == 0 ? LEAVE : advance, advance, isEnd(symbol) ? END : 0, 0, bits + size);
    }

    private long pair(int window, int entry) {
        int symbol = entry & 255;
        int size = symbol & 15;
        int used = (entry >> 8) + size;
        if (entry == 0 || size == 0 || size > MAX_AC_SIZE || used >= LOOK_BITS) {
            return single(entry);
        }
        int second = symbols[window << used & (1 << LOOK_BITS) - 1];
        int secondBits = second >> 8;
        int secondSymbol = second & 255;
        int secondSize = secondSymbol & 15;
        int both = used + secondBits + secondSize;
        if (second == 0 || second >= 0x8000 || both > LOOK_BITS || secondSize > MAX_AC_SIZE) {
            return single(entry);
        }
        int raw = window >> LOOK_BITS - both & (1 << secondSize) - 1;
        int value = secondSize == 0 || raw >= 1 << secondSize - 1 ? raw : raw - (1 << secondSize) + 1;
        int advance = advance(symbol);
        int flags = isEnd(secondSymbol) ? END : 0;
        return entry(entry >> 8, size, advance, advance + advance(secondSymbol), flags, value, both);
    }

    private void buildSkips() {
        if (ownSkips.length == 0) {
            ownSkips = new char[1 << SKIP_BITS];
        }
        for (int i = 0; i < ownSkips.length; i++) {
            ownSkips[i] = skip((long) i << 64 - SKIP_BITS);
        }
        skips = ownSkips;
    }

    private char skip(long window) {
        int used = 0;
        int advance = 0;
        int end = 0;
        while (used < SKIP_BITS) {
            int entry = symbol(window << used);
            int bits = entry >> 8;
            int symbol = entry & 255;
            if (entry == 0 || used + bits > SKIP_BITS || (symbol & 15) > MAX_AC_SIZE) {
                break;
            }
            if (isEnd(symbol)) {
                used += bits;
                end = 1;
                break;
            }
            int size = symbol & 15;
            // Two look-ups are made between refills of 56 bits; 62 coefficients fit the field and leave the end to a
            // step of its own.
            if (advance + advance(symbol) > 62 || used + bits + size > 26) {
                break;
            }
            advance += advance(symbol);
            used += bits + size;
        }
        return (char) (used | advance << 6 | end << 12);
    }
}
