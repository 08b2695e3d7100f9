package dev.stoker.listing;

import dev.stoker.StokerException;
import dev.stoker.io.Fingerprints;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Npy;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Values that are the arrays in {@code .npy} files: what follows the headers, which are read while listing. Only for
 * files that hold arrays of one type and one number of dimensions in the canonical form (row-major, little-endian);
 * any others stay the bytes that they are.
 */
public final class ListedNpyFiles implements ListedColumn {
    private static final byte[] ENDING = ".npy".getBytes(StandardCharsets.US_ASCII);
    /** Almost every header fits; one that does not is read again as a whole. */
    private static final int HEAD_BYTES = 4096;

    private static final int MAX_HEAD_BYTES = (1 << 16) + 16;
    /** Instead of where an array begins: the file's array is not of the kind of the first. */
    private static final long UNLIKE = -1;

    private final ListedFiles files;
    private final int rank;
    private final Arena arena = Arena.ofShared();
    /** For each file where its array begins, and its dimensions. */
    private final MemorySegment headers;

    private ListedNpyFiles(ListedFiles files, int rank) {
        this.files = files;
        this.rank = rank;
        this.headers = arena.allocate(Math.max(8, files.count() * width()), 8);
    }

    /**
     * Finds the type of a source's main files. If they are arrays, the last of the columns, which is that of the
     * files, becomes one of arrays.
     */
    public static FieldType find(ListedFiles files, ListingContext context, List<ListedColumn> columns) {
        Npy first = first(files);
        if (first == null || first.shape().length > FieldType.Array.MAX_RANK) {
            return new FieldType.Bytes();
        }
        var arrays = new ListedNpyFiles(files, first.shape().length);
        columns.set(columns.size() - 1, arrays);
        var alike = new AtomicBoolean(true);
        context.each("arrays", "", files.count(), arrays.headers, arrays.width(), sample -> {
            if (alike.get() && !files.isBad(sample)) {
                Npy header = header(files, sample);
                if (header == null || header.dtype() != first.dtype() || header.shape().length != arrays.rank) {
                    arrays.headers.set(LittleEndian.U64, sample * arrays.width(), UNLIKE);
                    alike.set(false);
                } else {
                    arrays.keep(sample, header);
                }
            }
        });
        if (!arrays.areAlike()) {
            columns.set(columns.size() - 1, files);
            arrays.arena.close();
            return new FieldType.Bytes();
        }
        if (arrays.rank == 0) {
            return new FieldType.Scalar(first.dtype());
        }
        return arrays.haveShape(first.shape())
                ? new FieldType.Tensor(
                        first.dtype(), LongStream.of(first.shape()).boxed().toList())
                : new FieldType.Array(first.dtype(), arrays.rank);
    }

    private static @Nullable Npy first(ListedFiles files) {
        for (long i = 0; i < files.count(); i++) {
            if (!files.isBad(i)) {
                return header(files, i);
            }
        }
        return null;
    }

    /** The header of a file, or null if its array cannot be taken as it lies there. */
    private static @Nullable Npy header(ListedFiles files, long sample) {
        if (!files.nameEndsWith(sample, ENDING)) {
            return null;
        }
        Npy header = header(files, sample, HEAD_BYTES);
        if (header == null && files.length(sample) > HEAD_BYTES) {
            header = header(files, sample, MAX_HEAD_BYTES);
        }
        boolean canonical = header != null
                && !header.bigEndian()
                && !(header.fortranOrder() && header.shape().length > 1)
                && header.fileLength() == files.length(sample)
                && hasSaneShape(header);
        return canonical ? header : null;
    }

    private static @Nullable Npy header(ListedFiles files, long sample, long bytes) {
        try (var scratch = Arena.ofConfined()) {
            MemorySegment head = scratch.allocate(Math.min(bytes, files.length(sample)));
            files.read(sample, 0, head);
            return parsed(head);
        }
    }

    private static @Nullable Npy parsed(MemorySegment head) {
        try {
            return Npy.parse(head, "");
        } catch (StokerException e) {
            return null;
        }
    }

    /** An empty array may have dimensions whose product is beyond any number; no field type has such a shape. */
    private static boolean hasSaneShape(Npy header) {
        if (header.dataLength() > 0 || header.shape().length == 0) {
            return true;
        }
        try {
            var tensor = new FieldType.Tensor(
                    header.dtype(), LongStream.of(header.shape()).boxed().toList());
            return tensor.width() == 0;
        } catch (StokerException e) {
            return false;
        }
    }

    private boolean areAlike() {
        for (long i = 0; i < files.count(); i++) {
            if (offset(i) == UNLIKE) {
                return false;
            }
        }
        return true;
    }

    private boolean haveShape(long[] shape) {
        for (long i = 0; i < files.count(); i++) {
            if (!files.isBad(i) && !Arrays.equals(shape(i), shape)) {
                return false;
            }
        }
        return true;
    }

    private void keep(long sample, Npy header) {
        long at = sample * width();
        headers.set(LittleEndian.U64, at, header.dataOffset());
        for (long dimension : header.shape()) {
            at += Long.BYTES;
            headers.set(LittleEndian.U64, at, dimension);
        }
    }

    private long width() {
        return Long.BYTES * (1L + rank);
    }

    private long offset(long sample) {
        return headers.get(LittleEndian.U64, sample * width());
    }

    @Override
    public long length(long sample) {
        return files.length(sample) - offset(sample);
    }

    @Override
    public void read(long sample, long from, MemorySegment to) {
        files.read(sample, offset(sample) + from, to);
    }

    @Override
    public long[] shape(long sample) {
        var shape = new long[rank];
        MemorySegment.copy(headers, LittleEndian.U64, sample * width() + Long.BYTES, shape, 0, rank);
        return shape;
    }

    @Override
    public void fingerprint(MessageDigest digest) {
        files.fingerprint(digest);
        Fingerprints.add(digest, headers);
    }

    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
        files.close();
    }
}
