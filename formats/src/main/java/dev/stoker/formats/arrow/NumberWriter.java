package dev.stoker.formats.arrow;

import dev.stoker.format.RunWriter;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Gives little-endian numbers to a run, gathered into larger pieces. Nothing is complete before {@link #end} or {@link
 * #flush}. */
final class NumberWriter {
    private static final int PIECE_NUMBERS = 1024;

    private final RunWriter out;
    private final int width;
    private final MemorySegment piece;
    private long filled;

    /**
     * Gathers numbers of 1, 4 or 8 bytes.
     *
     * @param count how many there will be, at most
     */
    NumberWriter(RunWriter out, int width, long count) {
        this.out = out;
        this.width = width;
        this.piece = MemorySegment.ofArray(new byte[width * (int) Math.min(PIECE_NUMBERS, count)]);
    }

    void put(long number) {
        switch (width) {
            case 1 -> piece.set(ValueLayout.JAVA_BYTE, filled, (byte) number);
            case 4 -> piece.set(LittleEndian.U32, filled, (int) number);
            default -> piece.set(LittleEndian.U64, filled, number);
        }
        filled += width;
        if (filled == piece.byteSize()) {
            flush();
        }
    }

    /** Ends the buffer of a column, with its padding. */
    void end() {
        flush();
        out.align(BatchLayout.ALIGNMENT);
    }

    /** Gives what was gathered so far. */
    void flush() {
        out.put(piece.asSlice(0, filled));
        filled = 0;
    }
}
