package dev.stoker.manifest;

import dev.stoker.io.GrowingBuffer;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Which rows of a manifest belong to each sample, in the order of the rows. */
final class ManifestGroups implements AutoCloseable {
    private final long samples;
    private final Arena arena = Arena.ofShared();
    /** Where the rows of each sample begin in {@code rows}. Both are empty if every sample has one row, its own. */
    private final MemorySegment starts;

    private final MemorySegment rows;

    /** Groups rows by the number of the sample that each has. */
    ManifestGroups(GrowingBuffer sampleOfRow, long samples) {
        this.samples = samples;
        long count = sampleOfRow.size() / Long.BYTES;
        boolean single = count == samples;
        this.starts = arena.allocate(single ? 0 : (samples + 2) * Long.BYTES, 8);
        this.rows = arena.allocate(single ? 0 : count * Long.BYTES, 8);
        if (!single) {
            group(sampleOfRow, count);
        }
    }

    /** A counting sort. While it runs, {@code starts} is shifted by one, and holds where the next row goes. */
    private void group(GrowingBuffer sampleOfRow, long count) {
        for (long row = 0; row < count; row++) {
            long place = (sampleOfRow.getLong(row) + 2) * Long.BYTES;
            starts.set(LittleEndian.U64, place, starts.get(LittleEndian.U64, place) + 1);
        }
        for (long i = 2; i < samples + 2; i++) {
            long before = starts.get(LittleEndian.U64, (i - 1) * Long.BYTES);
            starts.set(LittleEndian.U64, i * Long.BYTES, before + starts.get(LittleEndian.U64, i * Long.BYTES));
        }
        for (long row = 0; row < count; row++) {
            long place = (sampleOfRow.getLong(row) + 1) * Long.BYTES;
            long next = starts.get(LittleEndian.U64, place);
            rows.set(LittleEndian.U64, next * Long.BYTES, row);
            starts.set(LittleEndian.U64, place, next + 1);
        }
    }

    long samples() {
        return samples;
    }

    boolean isSingle() {
        return starts.byteSize() == 0;
    }

    /** How many rows a sample has. */
    long count(long sample) {
        return isSingle() ? 1 : start(sample + 1) - start(sample);
    }

    /** One of a sample's rows; the first is 0. */
    long row(long sample, long which) {
        return isSingle() ? sample : rows.get(LittleEndian.U64, (start(sample) + which) * Long.BYTES);
    }

    private long start(long sample) {
        return starts.get(LittleEndian.U64, sample * Long.BYTES);
    }

    @Override
    public void close() {
        arena.close();
    }
}
