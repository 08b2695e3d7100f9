package dev.stoker.formats.shared.array;

import dev.stoker.sample.Samples;

/** The dimensions of every value of an array field, as {@code int64}. */
public final class ShapesArea extends TableArea {
    private final Samples samples;
    private final int field;
    private final long first;

    public ShapesArea(Samples samples, int field, Part part, int rank) {
        super(part.count(), 8 * rank);
        this.samples = samples;
        this.field = field;
        this.first = part.first();
    }

    @Override
    protected void rows(long from, long to, Numbers out) {
        for (long row = from; row < to; row++) {
            for (long dimension : samples.shape(first + row, field)) {
                out.u64(dimension);
            }
        }
    }
}
