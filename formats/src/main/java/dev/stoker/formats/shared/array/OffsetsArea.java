package dev.stoker.formats.shared.array;

import java.util.function.LongUnaryOperator;

/** Where each value of a dense dataset begins, counted in elements, and where the last one ends. */
public final class OffsetsArea extends TableArea {
    private final long first;
    private final LongUnaryOperator elementsOfSample;
    /** The first number of every run, so that each can be filled on its own. */
    private final long[] starts;

    private final long total;

    /** @param elementsOfSample how many elements the value of a sample has */
    public OffsetsArea(Part part, LongUnaryOperator elementsOfSample) {
        super(part.count() + 1, 8);
        this.first = part.first();
        this.elementsOfSample = elementsOfSample;
        this.starts = new long[Math.toIntExact(part.count() / ROWS_PER_RUN + 1)];
        long sum = 0;
        for (long i = 0; i < part.count(); i++) {
            if (i % ROWS_PER_RUN == 0) {
                starts[(int) (i / ROWS_PER_RUN)] = sum;
            }
            sum += elements(i);
        }
        if (part.count() % ROWS_PER_RUN == 0) {
            starts[(int) (part.count() / ROWS_PER_RUN)] = sum;
        }
        this.total = sum;
    }

    /** Elements of all values together. */
    public long total() {
        return total;
    }

    private long elements(long row) {
        return elementsOfSample.applyAsLong(first + row);
    }

    @Override
    protected void rows(long from, long to, Numbers out) {
        long sum = starts[(int) (from / ROWS_PER_RUN)];
        for (long row = from; row < to; row++) {
            out.u64(sum);
            if (row + 1 < to) {
                sum += elements(row);
            }
        }
    }
}
