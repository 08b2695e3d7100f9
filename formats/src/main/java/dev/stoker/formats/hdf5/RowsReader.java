package dev.stoker.formats.hdf5;

import java.util.ArrayList;
import java.util.List;

/** Reads how the raw data of a dataset is laid out. */
final class RowsReader {
    private static final int COMPACT = 0;
    private static final int CONTIGUOUS = 1;
    private static final int CHUNKED = 2;
    private static final int VIRTUAL = 3;

    private final FileBytes file;
    private final Dataset dataset;
    private final ObjectHeader.Message layout;

    private RowsReader(Dataset dataset, ObjectHeader.Message layout) {
        this.file = dataset.file();
        this.dataset = dataset;
        this.layout = layout;
    }

    static Rows of(Dataset dataset) {
        ObjectHeader.Message layout = dataset.header().find(HeaderMessages.LAYOUT);
        if (layout == null) {
            throw new IllegalStateException("a dataset has a layout");
        }
        return new RowsReader(dataset, layout).read();
    }

    private Rows read() {
        int version = file.u8(layout.at());
        int kind = file.u8(layout.at() + 1);
        if (version < 3 || version > 5) {
            throw unsupported(
                    "has a data layout of version " + version + "; Stoker reads 3 to 5; copy it with h5repack");
        }
        if (dataset.header().has(HeaderMessages.EXTERNAL_FILES)) {
            throw unsupported("lies in other files (external storage); copy it with h5repack");
        }
        return switch (kind) {
            case COMPACT -> new Rows.Contiguous(dataset, layout.at() + 4, file.u16(layout.at() + 2));
            case CONTIGUOUS -> contiguous();
            case CHUNKED -> chunked(version);
            case VIRTUAL -> throw unsupported("is virtual: its values lie in other files; copy it with h5repack");
            default -> throw unsupported("has a data layout of class " + kind + ", which Stoker does not know");
        };
    }

    private Rows contiguous() {
        long address = file.address(layout.at() + 2);
        return address == FileBytes.UNDEFINED
                ? new Rows.Unwritten(dataset)
                : new Rows.Contiguous(dataset, address, file.length(layout.at() + 2 + file.offsetBytes()));
    }

    private dev.stoker.StokerException unsupported(String what) {
        return file.unsupported(dataset.label() + " " + what);
    }

    private Rows chunked(int version) {
        List<String> filters = filters();
        if (!filters.isEmpty()) {
            throw unsupported("has chunks that are compressed with " + String.join(", ", filters)
                    + ", which Stoker does not read; decompress it with: h5repack -f NONE IN OUT");
        }
        return version == 3 ? chunkedOld() : chunkedRecent();
    }

    private Rows chunkedOld() {
        int rank = file.u8(layout.at() + 2) - 1;
        long address = file.address(layout.at() + 3);
        long at = layout.at() + 3 + file.offsetBytes();
        long[] chunk = new long[Math.max(0, rank)];
        for (int d = 0; d < rank; d++) {
            chunk[d] = file.u32(at + 4L * d);
        }
        var grid = grid(chunk, file.u32(at + 4L * rank));
        return new ChunkedRows(dataset, grid, ChunkTable.ofOldTree(file, grid, address));
    }

    private Rows chunkedRecent() {
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
        var grid = grid(chunk, file.uint(at + (long) Math.max(0, rank) * bytes, bytes));
        at += (rank + 1L) * bytes;
        int index = file.u8(at);
        Chunks chunks = switch (index) {
            case 1 -> Chunks.single(file, grid, file.address(at + 1));
            case 2 -> Chunks.implicit(file, grid, file.address(at + 1));
            case 3 -> FixedArray.read(file, grid, file.address(at + 2));
            case 4 -> ExtensibleArray.read(file, grid, file.address(at + 6));
            case 5 -> ChunkTable.ofTree(file, grid, file.address(at + 7));
            default -> throw unsupported("has an index of chunks of kind " + index + ", which Stoker does not know");
        };
        return new ChunkedRows(dataset, grid, chunks);
    }

    private ChunkGrid grid(long[] chunk, long elementBytes) {
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
        return new ChunkGrid(dataset.dimensions(), dataset.maxDimensions(), chunk, elementBytes);
    }

    /** The names of the filters that chunks went through. */
    private List<String> filters() {
        ObjectHeader.Message message = dataset.header().find(HeaderMessages.FILTERS);
        var names = new ArrayList<String>();
        if (message == null) {
            return names;
        }
        int version = file.u8(message.at());
        int count = file.u8(message.at() + 1);
        long at = message.at() + (version == 1 ? 8 : 2);
        for (int i = 0; i < count && at + 6 <= message.end(); i++) {
            int id = file.u16(at);
            boolean isNamed = version == 1 || id >= 256;
            int nameBytes = isNamed ? file.u16(at + 2) : 0;
            int values = file.u16(at + (isNamed ? 6 : 4));
            names.add(name(id));
            at += (isNamed ? 8 : 6) + (version == 1 ? nameBytes + 7 & -8 : nameBytes) + 4L * values;
            at += version == 1 && values % 2 == 1 ? 4 : 0;
        }
        return names.isEmpty() && count > 0 ? List.of(count + " filters") : names;
    }

    private static String name(int id) {
        return switch (id) {
            case 1 -> "gzip";
            case 2 -> "shuffle";
            case 3 -> "fletcher32";
            case 4 -> "szip";
            case 5 -> "nbit";
            case 6 -> "scale-offset";
            case 32000 -> "lzf";
            case 32001 -> "blosc";
            case 32004 -> "lz4";
            case 32015 -> "zstd";
            default -> "filter " + id;
        };
    }
}
