package dev.stoker.formats.zarr.layout;

import dev.stoker.format.Run;
import dev.stoker.format.RunWriter;
import dev.stoker.formats.shared.array.Area;
import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A shard: inner chunks one after another, then their index, which is for each {@code u64} offset and {@code u64}
 * length, and last the index's CRC32C.
 */
public final class Shard extends Area {
    public static final int ENTRY_BYTES = 16;
    public static final int CHECKSUM_BYTES = 4;

    /** Smaller ones are not worth a request. */
    private static final long SMALLEST_CHUNK = 64 << 10;

    private final Area values;
    private final Chunks chunks;

    /** The inner chunks of a shard. */
    public interface Chunks {
        int count();

        /** Where a chunk begins; that with the number of all chunks is where the last one ends. */
        long start(int chunk);

        /** Chunks that all have the same length. */
        static Chunks even(int count, long bytes) {
            return new Chunks() {
                @Override
                public int count() {
                    return count;
                }

                @Override
                public long start(int chunk) {
                    return chunk * bytes;
                }
            };
        }
    }

    /** @param values the inner chunks; what is missing at the end of the last one is zero */
    public Shard(Area values, Chunks chunks) {
        this.values = values;
        this.chunks = chunks;
    }

    /**
     * How long inner chunks should be: about as long as the index. A reader that keeps neither, as zarr-python, then
     * reads least for one sample.
     */
    public static long chunkBytes(long total) {
        long bytes = SMALLEST_CHUNK;
        while (bytes < Math.sqrt((double) ENTRY_BYTES * total)) {
            bytes *= 2;
        }
        return bytes;
    }

    private long indexBytes() {
        return (long) ENTRY_BYTES * chunks.count() + CHECKSUM_BYTES;
    }

    @Override
    public long length() {
        return Math.addExact(chunks.start(chunks.count()), indexBytes());
    }

    @Override
    public List<Run> runs() {
        values.place(offset());
        var runs = new ArrayList<>(values.runs());
        runs.add(Run.frame(offset() + values.length(), length() - values.length()));
        return runs;
    }

    @Override
    public void fill(Run run, RunWriter out) {
        if (run.length() > 0 && run.offset() == offset() + values.length()) {
            out.zeros(length() - indexBytes() - values.length());
            out.put(index());
        } else {
            values.fill(run, out);
        }
    }

    private MemorySegment index() {
        MemorySegment index = MemorySegment.ofArray(new byte[Math.toIntExact(indexBytes())]);
        for (int chunk = 0; chunk < chunks.count(); chunk++) {
            long start = chunks.start(chunk);
            index.set(LittleEndian.U64, (long) ENTRY_BYTES * chunk, start);
            index.set(LittleEndian.U64, (long) ENTRY_BYTES * chunk + 8, chunks.start(chunk + 1) - start);
        }
        long end = (long) ENTRY_BYTES * chunks.count();
        index.set(LittleEndian.U32, end, Checksum.of(index.asSlice(0, end)));
        return index;
    }
}
