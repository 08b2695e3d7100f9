package dev.stoker.formats.hdf5.read;

import dev.stoker.formats.hdf5.structure.Chunk;
import dev.stoker.formats.hdf5.structure.ChunkGrid;
import dev.stoker.formats.hdf5.structure.ChunkIndex;
import dev.stoker.formats.hdf5.structure.ChunkTable;
import dev.stoker.formats.hdf5.structure.DatasetHeader;
import dev.stoker.formats.hdf5.structure.ExtensibleArray;
import dev.stoker.formats.hdf5.structure.FileBytes;
import dev.stoker.formats.hdf5.structure.FilterPipeline;
import dev.stoker.formats.hdf5.structure.FixedArray;
import dev.stoker.formats.hdf5.structure.HeaderMessages;
import dev.stoker.formats.hdf5.structure.ObjectHeader;
import org.jspecify.annotations.Nullable;

/** Reads how the raw data of a dataset is laid out. */
final class RowsReader {
    private static final int COMPACT = 0;
    private static final int CONTIGUOUS = 1;
    private static final int CHUNKED = 2;
    private static final int VIRTUAL = 3;
    /** A flag: chunks that reach over the dataset's end did not go through the filters. */
    private static final int EDGE_IS_PLAIN = 1;
    /** A flag: the size of the only chunk is written down. */
    private static final int SINGLE_HAS_SIZE = 2;

    private final FileBytes file;
    private final DatasetHeader dataset;
    private final ObjectHeader.Message layout;

    private RowsReader(DatasetHeader dataset, ObjectHeader.Message layout) {
        this.file = dataset.file();
        this.dataset = dataset;
        this.layout = layout;
    }

    static DatasetRows of(DatasetHeader dataset) {
        ObjectHeader.Message layout = dataset.header().find(HeaderMessages.LAYOUT);
        if (layout == null) {
            throw new IllegalStateException("a dataset has a layout");
        }
        return new RowsReader(dataset, layout).read();
    }

    private DatasetRows read() {
        int version = file.u8(layout.at());
        int kind = file.u8(layout.at() + (version < 3 ? 2 : 1));
        if (version < 1 || version > 5) {
            throw unsupported("has a data layout of version " + version + "; Stoker reads 1 to 5");
        }
        if (dataset.header().has(HeaderMessages.EXTERNAL_FILES)) {
            throw unsupported("lies in other files (external storage); " + copy());
        }
        return switch (kind) {
            case COMPACT -> version < 3 ? compactOldest() : compact();
            case CONTIGUOUS -> version < 3 ? contiguousOldest() : contiguous();
            case CHUNKED -> version < 3 ? chunkedOldest() : version == 3 ? chunkedOld() : chunkedRecent();
            case VIRTUAL -> throw unsupported("is virtual: its values lie in other files; " + copy());
            default -> throw unsupported("has a data layout of class " + kind + ", which Stoker does not know");
        };
    }

    private DatasetRows compact() {
        return new DatasetRows.Contiguous(dataset, layout.at() + 4, file.u16(layout.at() + 2));
    }

    /** Versions 1 and 2 give dimensions in all classes, of 4 bytes each, and before them the address if there is one. */
    private int oldestRank() {
        return file.u8(layout.at() + 1);
    }

    private DatasetRows compactOldest() {
        long size = layout.at() + 8 + 4L * oldestRank();
        return new DatasetRows.Contiguous(dataset, size + 4, file.u32(size));
    }

    private DatasetRows contiguousOldest() {
        long address = file.address(layout.at() + 8);
        long bytes = Math.multiplyExact(dataset.rows(), dataset.rowBytes());
        return address == FileBytes.UNDEFINED
                ? new DatasetRows.Unwritten(dataset)
                : new DatasetRows.Contiguous(dataset, address, bytes);
    }

    private DatasetRows chunkedOldest() {
        return chunkedOld(oldestRank() - 1, layout.at() + 8);
    }

    private DatasetRows contiguous() {
        long address = file.address(layout.at() + 2);
        return address == FileBytes.UNDEFINED
                ? new DatasetRows.Unwritten(dataset)
                : new DatasetRows.Contiguous(dataset, address, file.length(layout.at() + 2 + file.offsetBytes()));
    }

    /** Unlike h5repack, h5py makes a dataset of its own. */
    private String copy() {
        return "copy it with h5py: OUT['" + dataset.path() + "'] = IN['" + dataset.path() + "'][()]";
    }

    private dev.stoker.StokerException unsupported(String what) {
        return file.unsupported(dataset.label() + " " + what);
    }

    private DatasetRows chunkedOld() {
        return chunkedOld(file.u8(layout.at() + 2) - 1, layout.at() + 3);
    }

    private DatasetRows chunkedOld(int rank, long addressAt) {
        long address = file.address(addressAt);
        long at = addressAt + file.offsetBytes();
        long[] chunk = new long[Math.max(0, rank)];
        for (int d = 0; d < rank; d++) {
            chunk[d] = file.u32(at + 4L * d);
        }
        FilterPipeline filters = FilterPipeline.of(dataset);
        var grid = grid(chunk, file.u32(at + 4L * rank), filters);
        return new ChunkedRows(dataset, grid, ChunkTable.ofOldTree(file, grid, address), filters, false);
    }

    private DatasetRows chunkedRecent() {
        int flags = file.u8(layout.at() + 2);
        int rank = file.u8(layout.at() + 3) - 1;
        int bytes = file.u8(layout.at() + 4);
        if (bytes < 1 || bytes > 8) {
            throw file.corrupt(layout.at(), "the dimensions of chunks should have 1 to 8 bytes, not " + bytes);
        }
        long at = layout.at() + 5;
        long[] chunk = new long[Math.max(0, rank)];
        for (int d = 0; d < rank; d++) {
            chunk[d] = file.uint(at + (long) d * bytes, bytes);
        }
        FilterPipeline filters = FilterPipeline.of(dataset);
        var grid = grid(chunk, file.uint(at + (long) Math.max(0, rank) * bytes, bytes), filters);
        at += (rank + 1L) * bytes;
        int index = file.u8(at);
        ChunkIndex chunks = switch (index) {
            case 1 -> ChunkIndex.single(file, grid, single(grid, filters, flags, at + 1));
            case 2 -> ChunkIndex.implicit(file, grid, file.address(at + 1));
            case 3 -> FixedArray.read(file, grid, file.address(at + 2));
            case 4 -> ExtensibleArray.read(file, grid, file.address(at + 6));
            case 5 -> ChunkTable.ofTree(file, grid, file.address(at + 7));
            default -> throw unsupported("has an index of chunks of kind " + index + ", which Stoker does not know");
        };
        return new ChunkedRows(dataset, grid, chunks, filters, (flags & EDGE_IS_PLAIN) != 0);
    }

    /** The only chunk: its address, and before that its size and the filters left out if it went through any. */
    private @Nullable Chunk single(ChunkGrid grid, FilterPipeline filters, int flags, long at) {
        boolean hasSize = (flags & SINGLE_HAS_SIZE) != 0;
        long address = file.address(at + (hasSize ? file.lengthBytes() + 4L : 0));
        if (address == FileBytes.UNDEFINED) {
            return null;
        }
        return hasSize
                ? grid.chunk(file, address, file.length(at), (int) file.u32(at + file.lengthBytes()))
                : grid.chunk(file, address, grid.chunkBytes(), filters.all());
    }

    private ChunkGrid grid(long[] chunk, long elementBytes, FilterPipeline filters) {
        boolean isChunk =
                chunk.length == dataset.rank() && elementBytes == dataset.type().bytes();
        for (long dimension : chunk) {
            isChunk &= dimension > 0;
        }
        if (!isChunk || chunk.length == 0) {
            throw file.corrupt(
                    layout.at(),
                    dataset.label() + " has chunks of " + java.util.Arrays.toString(chunk) + " elements of "
                            + elementBytes + " bytes, which do not fit it");
        }
        return new ChunkGrid(dataset.dimensions(), dataset.maxDimensions(), chunk, elementBytes, filters.pipeline(0));
    }
}
