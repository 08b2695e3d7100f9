package dev.stoker.formats.hdf5;

import dev.stoker.sample.Samples;

/** The dimensions of every value of an array field, as {@code int64}. */
final class ShapesArea extends TableArea {
    private final Samples samples;
    private final int field;
    private final long first;

    ShapesArea(Samples samples, int field, Part part, int rank) {
        super(part.count(), 8 * rank);
        this.samples = samples;
        this.field = field;
        this.first = part.first();
    }

    @Override
    void rows(long from, long to, Numbers out) {
        for (long row = from; row < to; row++) {
            for (long dimension : samples.shape(first + row, field)) {
                out.u64(dimension);
            }
        }
    }
}
