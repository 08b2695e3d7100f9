package dev.stoker.formats.hdf5;

import dev.stoker.sample.Samples;

/** Where each value of a dense dataset begins, counted in elements, and where the last one ends. */
final class OffsetsArea extends TableArea {
    private final Samples samples;
    private final int field;
    private final long first;
    private final int elementBytes;
    /** The first number of every run, so that each can be filled on its own. */
    private final long[] starts;

    private final long total;

    OffsetsArea(Samples samples, int field, Part part, int elementBytes) {
        super(part.count() + 1, 8);
        this.samples = samples;
        this.field = field;
        this.first = part.first();
        this.elementBytes = elementBytes;
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
    long total() {
        return total;
    }

    private long elements(long row) {
        return samples.length(first + row, field) / elementBytes;
    }

    @Override
    void rows(long from, long to, Numbers out) {
        long sum = starts[(int) (from / ROWS_PER_RUN)];
        for (long row = from; row < to; row++) {
            out.u64(sum);
            if (row + 1 < to) {
                sum += elements(row);
            }
        }
    }
}
