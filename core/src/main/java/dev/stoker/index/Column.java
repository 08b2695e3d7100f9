package dev.stoker.index;

import static dev.stoker.io.LittleEndian.U32;
import static dev.stoker.io.LittleEndian.U64;

import dev.stoker.CorruptContainerException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One field of all samples: the hot path of reading. A value is a slice of a mapped file, found by one look into the
 * extents, or by multiplication where the field is dense. For a field in blocks, offsets count in the decoded bytes, and
 * there are no slices: {@link dev.stoker.container.Container#value} decodes.
 *
 * <p>Slices are valid until the container is closed.
 */
public final class Column {
    private final String file;
    private final long samples;
    /** The file that holds the values; none has them where they lie in blocks or on remote storage. */
    private final @Nullable MemorySegment bytes;
    /** Where values end at the latest: the end of their file, or unknown where each has a file of its own. */
    private final long limit;

    private final @Nullable MemorySegment extents;
    private final long base;
    private final long width;
    private final @Nullable MemorySegment checksums;
    private final @Nullable MemorySegment shapes;
    private final int rank;

    Column(
            String file,
            long samples,
            @Nullable MemorySegment bytes,
            long limit,
            @Nullable MemorySegment extents,
            long base,
            long width,
            @Nullable MemorySegment checksums,
            @Nullable MemorySegment shapes,
            int rank) {
        this.file = file;
        this.samples = samples;
        this.bytes = bytes;
        this.limit = limit;
        this.extents = extents;
        this.base = base;
        this.width = width;
        this.checksums = checksums;
        this.shapes = shapes;
        this.rank = rank;
    }

    public long offset(long sample) {
        Objects.checkIndex(sample, samples);
        return extents == null ? base + sample * width : extents.get(U64, sample * IndexLayout.EXTENT_BYTES);
    }

    /** Bytes of the value; a length that the file cannot hold is refused, so sums of lengths make sense. */
    public long length(long sample) {
        return length(sample, offset(sample));
    }

    private long length(long sample, long offset) {
        long length = extents == null ? width : extents.get(U64, sample * IndexLayout.EXTENT_BYTES + 8);
        if (offset < 0 || length < 0 || offset > limit - length) {
            throw new CorruptContainerException(
                    file,
                    sample,
                    offset,
                    "its value of " + length + " bytes should lie inside the file's " + limit
                            + " bytes; the Index is damaged or belongs to another file");
        }
        return length;
    }

    /** The value's bytes where they lie. */
    public MemorySegment slice(long sample) {
        long offset = offset(sample);
        return mapped().asSlice(offset, length(sample, offset));
    }

    public boolean hasChecksums() {
        return checksums != null;
    }

    /** The CRC32C that the value should have. */
    public int checksum(long sample) {
        Objects.checkIndex(sample, samples);
        return Objects.requireNonNull(checksums).get(U32, 4 * sample);
    }

    public long[] shape(long sample) {
        Objects.checkIndex(sample, samples);
        MemorySegment all = Objects.requireNonNull(shapes, "only arrays have a shape of their own");
        var shape = new long[rank];
        for (int d = 0; d < rank; d++) {
            shape[d] = all.get(U64, 8 * (sample * rank + d));
        }
        return shape;
    }

    /** All values as one run of bytes, where they lie so. */
    public @Nullable MemorySegment dense() {
        return extents == null && bytes != null ? bytes.asSlice(base, samples * width) : null;
    }

    private MemorySegment mapped() {
        return Objects.requireNonNull(bytes, "values in blocks or on remote storage are read by their container");
    }
}
