package dev.stoker.formats.hdf5.structure;

import org.jspecify.annotations.Nullable;

/** The index of a dataset that cannot grow: an array of records, in pages if it is long. */
public final class FixedArray implements ChunkIndex {
    private final FileBytes file;
    private final ChunkGrid grid;
    private final ChunkRecord record;
    private final int entryBytes;
    private final long entries;
    private final long pageEntries;
    private final long block;
    private final boolean paged;

    private FixedArray(FileBytes file, ChunkGrid grid, long header) {
        this.file = file;
        this.grid = grid;
        file.signature(header, "FAHD");
        file.checksum(header, 8L + file.lengthBytes() + file.offsetBytes(), "the header of an array of chunks");
        this.entryBytes = file.u8(header + 6);
        this.pageEntries = 1L << Math.min(62, file.u8(header + 7));
        this.entries = file.length(header + 8);
        this.block = file.address(header + 8 + file.lengthBytes());
        this.paged = entries > pageEntries;
        this.record = ChunkRecord.of(file, grid, entryBytes, header);
        if (block != FileBytes.UNDEFINED) {
            file.signature(block, "FADB");
            if (!paged) {
                file.checksum(block, prefix() + Math.multiplyExact(entries, entryBytes), "an array of chunks");
            }
        }
    }

    public static ChunkIndex read(FileBytes file, ChunkGrid grid, long header) {
        return header == FileBytes.UNDEFINED ? index -> null : new FixedArray(file, grid, header);
    }

    private long prefix() {
        return 6L + file.offsetBytes();
    }

    @Override
    public @Nullable Chunk find(long[] index) {
        long number = grid.numberInArray(index);
        if (number >= entries) {
            throw file.corrupt(block, "an array of " + entries + " chunks has no number " + number);
        }
        if (block == FileBytes.UNDEFINED) {
            return null;
        }
        long entry = paged ? inPage(number) : block + prefix() + number * entryBytes;
        return entry < 0 ? null : record.read(entry);
    }

    /** The place of an entry, or -1 if its page was never written. */
    private long inPage(long number) {
        long page = number / pageEntries;
        long pages = (entries + pageEntries - 1) / pageEntries;
        long bitmap = block + prefix();
        boolean isWritten = (file.u8(bitmap + page / 8) & 0x80 >> page % 8) != 0;
        long first = bitmap + (pages + 7) / 8 + 4;
        return isWritten ? first + page * (pageEntries * entryBytes + 4) + number % pageEntries * entryBytes : -1;
    }
}
