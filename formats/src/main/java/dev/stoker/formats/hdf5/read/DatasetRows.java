package dev.stoker.formats.hdf5.read;

import dev.stoker.block.BlockCache;
import dev.stoker.block.BlockReader;
import dev.stoker.block.BlockTable;
import dev.stoker.block.CodecPipeline;
import dev.stoker.formats.hdf5.structure.DatasetHeader;
import dev.stoker.formats.hdf5.structure.FileBytes;
import dev.stoker.index.BlockRows;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The raw data of a dataset, row by row: a row is all that has the same first index. */
abstract class DatasetRows {
    /** Rows that lie one after another are decoded in blocks of so many bytes. */
    static final long BLOCK_BYTES = 1 << 20;

    private final DatasetHeader dataset;
    private final long bytes;
    private @Nullable BlockReader decoded;

    DatasetRows(DatasetHeader dataset) {
        this.dataset = dataset;
        this.bytes = dataset.rowBytes();
    }

    final DatasetHeader dataset() {
        return dataset;
    }

    final long count() {
        return dataset.rows();
    }

    /** Bytes of a row. */
    final long bytes() {
        return bytes;
    }

    final boolean isEmpty() {
        return count() == 0 || bytes() == 0;
    }

    /** Where a row lies in the file, or -1 if it does not lie there in one piece, as it is. */
    abstract long place(long row);

    /** Whether every row lies in the file in one piece, as it is. */
    abstract boolean isInFile();

    /** Where the first row begins if all lie one after another, else -1. */
    long base() {
        return -1;
    }

    /** How many rows are stored in some way; the others are the fill value. */
    abstract long storedRows();

    /** The size of the largest block that {@link #addBlocks} adds. */
    abstract long blockBytes();

    /**
     * Adds blocks that are all rows, one after another.
     *
     * @param turned the width of numbers that are to be turned from big-endian to little-endian; 0: none are
     */
    abstract void addBlocks(BlockRows blocks, int turned);

    /** The steps and then, if need be, the one that turns numbers. */
    static CodecPipeline turned(CodecPipeline pipeline, int turned) {
        return turned > 1 ? pipeline.then("swap", (long) turned) : pipeline;
    }

    /** Copies a row; rows that have to be decoded are best copied in their order. */
    final void copy(long row, MemorySegment to) {
        if (bytes == 0) {
            return;
        }
        long place = place(row);
        MemorySegment from = place >= 0 ? dataset.file().bytes().asSlice(place, bytes) : decodedRow(row);
        MemorySegment.copy(from, 0, to, 0, bytes);
    }

    /** The bytes of a row that has to be decoded; valid until the next call. */
    MemorySegment decodedRow(long row) {
        return decoded().read(row * bytes, bytes);
    }

    /** From one row to the next in the decoded bytes. */
    long stride() {
        return bytes;
    }

    /** Where the first row begins in the decoded bytes. */
    long offset() {
        return 0;
    }

    /** Whether the decoded bytes are rows and nothing else. */
    final boolean isDense() {
        return stride() == bytes;
    }

    private BlockReader decoded() {
        if (decoded == null) {
            try (var blocks = new BlockRows()) {
                addBlocks(blocks, 0);
                // Room for the block that is being read and the one before, so that none is decoded for each row.
                decoded = blocks.reader(new InFile(dataset.file()), new BlockCache(BLOCK_BYTES + 2 * blockBytes()));
            }
        }
        return decoded;
    }

    /** The file as the place of its blocks. */
    private record InFile(FileBytes file) implements BlockReader.Files {
        @Override
        public MemorySegment bytes(int number) {
            return file.bytes();
        }

        @Override
        public String name(int number) {
            return file.file();
        }
    }

    /** How many rows go into a block where that is free to choose. */
    final long rowsPerBlock() {
        return Math.max(1, BLOCK_BYTES / Math.max(1, bytes));
    }

    /** Refuses blocks that are too large to be decoded. */
    final void requireDecodable(long blockBytes) {
        if (blockBytes > BlockTable.MAX_BLOCK_BYTES) {
            throw dataset.file()
                    .unsupported(
                            dataset.label() + " has to be decoded in pieces of " + blockBytes + " bytes, but at most "
                                    + BlockTable.MAX_BLOCK_BYTES
                                    + " are decoded at once; store it in smaller chunks: h5repack -l CHUNK=1x... IN OUT");
        }
    }

    /** All rows one after another. */
    static final class Contiguous extends DatasetRows {
        private final long base;

        Contiguous(DatasetHeader dataset, long base, long length) {
            super(dataset);
            this.base = base;
            long needed = Math.multiplyExact(count(), bytes());
            FileBytes file = dataset.file();
            if (length < needed) {
                throw file.corrupt(base, dataset.label() + " should have " + needed + " bytes but has " + length);
            }
            file.require(base, needed, dataset.label());
        }

        @Override
        long place(long row) {
            return base + row * bytes();
        }

        @Override
        boolean isInFile() {
            return true;
        }

        @Override
        long base() {
            return base;
        }

        @Override
        long storedRows() {
            return count();
        }

        @Override
        long blockBytes() {
            return Math.min(count(), rowsPerBlock()) * bytes();
        }

        @Override
        void addBlocks(BlockRows blocks, int turned) {
            requireDecodable(blockBytes());
            for (long row = 0; row < count(); row += rowsPerBlock()) {
                long length = Math.min(rowsPerBlock(), count() - row) * bytes();
                blocks.add(0, place(row), length, length, turned(CodecPipeline.NONE, turned));
            }
        }
    }

    /** Never written: every element is the fill value, and no row lies anywhere. */
    static final class Unwritten extends DatasetRows {
        Unwritten(DatasetHeader dataset) {
            super(dataset);
        }

        @Override
        long place(long row) {
            return -1;
        }

        @Override
        boolean isInFile() {
            return isEmpty();
        }

        @Override
        long storedRows() {
            return 0;
        }

        @Override
        long blockBytes() {
            return Math.min(count(), rowsPerBlock()) * bytes();
        }

        @Override
        void addBlocks(BlockRows blocks, int turned) {
            var missing = new TiledBlocks(dataset(), turned);
            for (long row = 0; row < count(); row += rowsPerBlock()) {
                missing.add(blocks, Math.min(rowsPerBlock(), count() - row) * bytes());
            }
        }
    }
}
