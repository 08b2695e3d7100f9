package dev.stoker.formats.zarr.read;

import dev.stoker.block.CodecPipeline;
import dev.stoker.block.TileLayout;
import dev.stoker.index.BlockRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;

/** The elements of an array, row by row: a row is all that has the same first index. Elements have one length. */
final class ArrayRows {
    /** More would take too much of the Index, and never pay. */
    private static final long MAX_CHUNKS = 1 << 22;

    private final ZarrStore store;
    private final ZarrArray array;
    private final ChunkReader chunks;
    private final long bytes;
    private final boolean isWhole;
    private final long[] strides;
    private final long elementBytes;
    /** The chunk that was asked for last, and where it lies. */
    private long lastChunk = -1;

    private long lastPlace;
    private String lastFile = "";
    private int lastFileNumber;

    ArrayRows(ZarrStore store, ZarrArray array) {
        this.store = store;
        this.array = array;
        this.chunks = new ChunkReader(store, array);
        this.bytes = array.rowBytes();
        this.isWhole = array.codecs().isPlain() && hasWholeRows(array);
        this.strides = array.codecs().strides(array.chunk());
        this.elementBytes = array.type().bytes();
    }

    /** A chunk as wide as the array; its second dimension may be wider, since what is too much then lies behind. */
    private static boolean hasWholeRows(ZarrArray array) {
        boolean isWhole = array.rank() < 2 || array.chunk()[1] >= array.shape()[1];
        for (int d = 2; d < array.rank(); d++) {
            isWhole &= array.chunk()[d] == array.shape()[d];
        }
        return isWhole;
    }

    ZarrArray array() {
        return array;
    }

    ZarrStore store() {
        return store;
    }

    long count() {
        return array.count();
    }

    /** Bytes of a row. */
    long bytes() {
        return bytes;
    }

    private long rowsPerChunk() {
        return array.chunk()[0];
    }

    private long chunkRowBytes() {
        return array.chunkBytes() / rowsPerChunk();
    }

    /** Where a row lies in the container's file, or -1 if it does not lie there in one piece. */
    long place(long row) {
        long place = isWhole ? chunkPlace(row / rowsPerChunk()) : -1;
        return place < 0 ? -1 : place + row % rowsPerChunk() * chunkRowBytes();
    }

    private long chunkPlace(long number) {
        if (number != lastChunk) {
            long[] index = new long[array.rank()];
            index[0] = number;
            ZarrStore.Blob chunk = chunks.find(index);
            if (chunk != null && chunk.bytes().byteSize() != array.chunkBytes()) {
                throw chunks.wrongLength(
                        chunk, Arrays.toString(index), chunk.bytes().byteSize());
            }
            lastPlace = chunk == null ? -1 : chunk.place();
            lastChunk = number;
        }
        return lastPlace;
    }

    /** Whether every row lies in the file in one piece. */
    boolean isInFile() {
        if (count() == 0 || bytes == 0) {
            return true;
        }
        for (long chunk = 0; chunk < array.across(0); chunk++) {
            if (!isWhole || chunkPlace(chunk) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Where the first row begins if all lie one after another, else -1. */
    long base() {
        if (!isWhole || count() == 0 || bytes == 0 || chunkRowBytes() != bytes) {
            return -1;
        }
        long base = chunkPlace(0);
        for (long chunk = 1; base >= 0 && chunk < array.across(0); chunk++) {
            if (chunkPlace(chunk) != base + chunk * array.chunkBytes()) {
                return -1;
            }
        }
        return base;
    }

    /** Adds the blocks that hold all rows, one after another; returns where the first one begins. */
    long addBlocks(BlockRows blocks) {
        if (count() == 0 || bytes == 0) {
            return 0;
        }
        if (array.chunks() > MAX_CHUNKS) {
            throw store.unsupported(array.label() + " has " + array.chunks() + " chunks that would have to be decoded;"
                    + " Stoker reads up to " + MAX_CHUNKS + "; store it in larger chunks");
        }
        CodecPipeline steps = array.codecs().steps(array.type(), array.chunk());
        TileLayout tiles = tiles();
        long first = -1;
        for (long number = 0; number < array.across(0); number++) {
            long rows = Math.min(rowsPerChunk(), count() - number * rowsPerChunk());
            long address = addBand(blocks, number, rows * bytes, tiles, steps);
            first = first < 0 ? address : first;
        }
        return Math.max(0, first);
    }

    /** The chunks of the same rows: one that is as wide as the rows, or several that have to be put together. */
    private long addBand(BlockRows blocks, long number, long bandBytes, TileLayout shape, CodecPipeline steps) {
        var places = new ArrayList<TileLayout.Place>();
        long[] index = new long[array.rank()];
        index[0] = number;
        long tiles = array.chunks() / array.across(0);
        for (long tile = 0; tile < tiles; tile++) {
            ZarrStore.Blob chunk = chunks.find(index);
            if (chunk == null) {
                store.missing(array);
            }
            places.add(
                    chunk == null
                            ? new TileLayout.Place(0, 0, 0)
                            : new TileLayout.Place(
                                    file(chunk, blocks),
                                    chunk.offset(),
                                    chunk.bytes().byteSize()));
            for (int d = index.length - 1; d > 0 && ++index[d] == array.across(d); d--) {
                index[d] = 0;
            }
        }
        TileLayout.Place only = places.getFirst();
        if (places.size() == 1 && only.stored() > 0 && chunkRowBytes() == bytes) {
            return blocks.addPart(only.file(), only.offset(), only.stored(), array.chunkBytes(), 0, bandBytes, steps);
        }
        return blocks.addTiles(places, bandBytes, shape, steps);
    }

    private int file(ZarrStore.Blob chunk, BlockRows blocks) {
        if (chunk.file().isEmpty()) {
            return 0;
        }
        // The chunks of a shard come one after another.
        if (!chunk.file().equals(lastFile)) {
            lastFile = chunk.file();
            lastFileNumber = blocks.file(lastFile);
        }
        return lastFileNumber;
    }

    private TileLayout tiles() {
        var fill = new ArrayList<Byte>();
        for (int i = 0; i < elementBytes; i++) {
            fill.add(array.fill().length == 0 ? 0 : array.fill()[i]);
        }
        return new TileLayout(
                Math.toIntExact(elementBytes),
                array.rowShape(),
                Arrays.stream(array.chunk()).boxed().toList(),
                fill);
    }

    /** Copies so many rows from one on as fit. */
    void copy(long row, MemorySegment to) {
        long[] at = new long[array.rank()];
        at[0] = row;
        int last = array.rank() - 1;
        long lineEnd = last == 0 ? count() : array.shape()[last];
        for (long done = 0; done < to.byteSize(); ) {
            long inChunk = at[last] % array.chunk()[last];
            long elements = Math.min(array.chunk()[last] - inChunk, lineEnd - at[last]);
            elements = Math.min(elements, (to.byteSize() - done) / elementBytes);
            copyPiece(at, to.asSlice(done, elements * elementBytes));
            done += elements * elementBytes;
            at[last] += elements;
            for (int d = last; d > 0 && at[d] == array.shape()[d]; d--) {
                at[d] = 0;
                at[d - 1]++;
            }
        }
    }

    /** A piece of a line, which runs along the last dimension. */
    private void copyPiece(long[] at, MemorySegment to) {
        long[] index = new long[at.length];
        long offset = 0;
        for (int d = 0; d < at.length; d++) {
            index[d] = at[d] / array.chunk()[d];
            offset += at[d] % array.chunk()[d] * strides[d];
        }
        MemorySegment chunk = chunks.decoded(index);
        if (chunk == null) {
            fill(to);
            return;
        }
        long stride = strides[at.length - 1];
        if (stride == 1) {
            MemorySegment.copy(chunk, offset * elementBytes, to, 0, to.byteSize());
            return;
        }
        for (long done = 0; done < to.byteSize(); done += elementBytes) {
            MemorySegment.copy(chunk, offset * elementBytes, to, done, elementBytes);
            offset += stride;
        }
    }

    /** Elements that were never written; in the order of bytes that the others have. */
    private void fill(MemorySegment to) {
        byte[] element = array.fill().clone();
        if (element.length == 0) {
            to.fill((byte) 0);
            return;
        }
        if (array.type() instanceof ElementType.Number number && number.isTurned()) {
            turn(MemorySegment.ofArray(element), element.length);
        }
        for (long at = 0; at < to.byteSize(); at += element.length) {
            MemorySegment.copy(element, 0, to, ValueLayout.JAVA_BYTE, at, element.length);
        }
    }

    /** Big-endian numbers become little-endian, and the other way round. */
    static void turn(MemorySegment numbers, int bytes) {
        for (long at = 0; at < numbers.byteSize(); at += bytes) {
            for (int i = 0; i < bytes / 2; i++) {
                byte low = numbers.get(ValueLayout.JAVA_BYTE, at + i);
                numbers.set(ValueLayout.JAVA_BYTE, at + i, numbers.get(ValueLayout.JAVA_BYTE, at + bytes - 1 - i));
                numbers.set(ValueLayout.JAVA_BYTE, at + bytes - 1 - i, low);
            }
        }
    }

    /** Room for a row that has to be decoded; an array that is too large for that is refused. */
    MemorySegment buffer() {
        DecodedLimit.requireSmall(store, array, Math.multiplyExact(count(), bytes), array.chunks());
        return MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
    }
}
