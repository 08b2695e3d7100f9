package dev.stoker.write;

import dev.stoker.index.IndexLayout;
import dev.stoker.index.Placement;
import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.OutputFile;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of an Index that does not depend on where a container's bytes lie: the values that are kept in the Index
 * itself, and the shapes of arrays. Cut into pieces that workers fill in any order.
 */
final class IndexRuns {
    private static final long PIECE_BYTES = 4 << 20;
    private static final long PIECE_SAMPLES = 4096;

    private final Samples samples;
    private final IndexLayout index;
    private final OutputFile file;
    /** Samples in a piece; fewer where their values are wide. */
    private final long step;
    /** For each variable-length field that is kept in the Index, where the values of each piece begin. */
    private final List<Starts> starts = new ArrayList<>();

    private record Starts(int field, long[] ofPiece) {}

    IndexRuns(Samples samples, IndexLayout index, OutputFile file) {
        this.samples = samples;
        this.index = index;
        this.file = file;
        long widest = 1;
        for (int f = 0; f < samples.schema().size(); f++) {
            widest = Math.max(widest, samples.schema().type(f).width());
        }
        this.step = Math.clamp(PIECE_BYTES / widest, 1, PIECE_SAMPLES);
        for (int f = 0; f < samples.schema().size(); f++) {
            Placement placement = index.meta().placements().get(f);
            if (placement.place() == Placement.Place.INDEX && !placement.dense()) {
                starts.add(new Starts(f, starts(f)));
            }
        }
    }

    private long[] starts(int field) {
        var found = new long[Math.toIntExact(pieces())];
        long at = index.values(field);
        for (int piece = 0; piece < found.length; piece++) {
            found[piece] = at;
            for (long i = first(piece); i < end(piece); i++) {
                at += samples.length(i, field);
            }
        }
        return found;
    }

    long pieces() {
        return (samples.count() + step - 1) / step;
    }

    private long first(long piece) {
        return piece * step;
    }

    private long end(long piece) {
        return Math.min(samples.count(), first(piece) + step);
    }

    void fill(long piece) {
        for (int f = 0; f < samples.schema().size(); f++) {
            Placement placement = index.meta().placements().get(f);
            if (placement.place() == Placement.Place.INDEX && placement.dense()) {
                fillDense(piece, f);
            }
            if (samples.schema().type(f) instanceof FieldType.Array array) {
                fillShapes(piece, f, array.rank());
            }
        }
        for (Starts start : starts) {
            fillValues(piece, start.field(), start.ofPiece()[(int) piece]);
        }
    }

    private void fillDense(long piece, int field) {
        long width = samples.schema().type(field).width();
        try (var arena = Arena.ofConfined()) {
            MemorySegment values = arena.allocate((end(piece) - first(piece)) * width);
            for (long i = first(piece); i < end(piece); i++) {
                read(i, field, values.asSlice((i - first(piece)) * width, width));
            }
            file.write(index.values(field) + first(piece) * width, values);
        }
    }

    private void read(long sample, int field, MemorySegment to) {
        samples.read(sample, field, 0, to);
        samples.verify(sample, field, () -> Checksum.of(to));
    }

    private void fillShapes(long piece, int field, int rank) {
        try (var arena = Arena.ofConfined()) {
            long width = 8L * rank;
            MemorySegment shapes = arena.allocate((end(piece) - first(piece)) * width);
            long at = 0;
            for (long i = first(piece); i < end(piece); i++) {
                for (long dimension : samples.shape(i, field)) {
                    shapes.set(LittleEndian.U64, at, dimension);
                    at += 8;
                }
            }
            file.write(index.shapes(field) + first(piece) * width, shapes);
        }
    }

    private void fillValues(long piece, int field, long start) {
        try (var arena = Arena.ofConfined()) {
            MemorySegment extents = arena.allocate((end(piece) - first(piece)) * IndexLayout.EXTENT_BYTES);
            long at = start;
            for (long i = first(piece); i < end(piece); i++) {
                long row = (i - first(piece)) * IndexLayout.EXTENT_BYTES;
                extents.set(LittleEndian.U64, row, at);
                extents.set(LittleEndian.U64, row + 8, samples.length(i, field));
                at += samples.length(i, field);
            }
            file.write(index.extents(field) + first(piece) * IndexLayout.EXTENT_BYTES, extents);
            MemorySegment values = arena.allocate(at - start);
            for (long i = first(piece); i < end(piece); i++) {
                long row = (i - first(piece)) * IndexLayout.EXTENT_BYTES;
                long offset = extents.get(LittleEndian.U64, row) - start;
                read(i, field, values.asSlice(offset, samples.length(i, field)));
            }
            file.write(start, values);
        }
    }
}
