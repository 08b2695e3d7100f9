package dev.stoker.write;

import dev.stoker.StokerException;
import dev.stoker.block.BlockTable;
import dev.stoker.block.Codec;
import dev.stoker.block.Codecs;
import dev.stoker.concurrent.Progress;
import dev.stoker.concurrent.WorkerPool;
import dev.stoker.format.BlockPlan;
import dev.stoker.format.CompressedBlocks;
import dev.stoker.index.BlockMeta;
import dev.stoker.index.IndexLayout;
import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.OutputFile;
import dev.stoker.os.FileErrors;
import dev.stoker.sample.Samples;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Samples compressed into a file of their own, block by block, in whatever order the workers finish. What the container
 * is to hold is copied from here: its plan needs the sizes of all blocks. Also keeps the checksums of the values, since
 * nothing is read twice.
 */
public final class BlockSpool implements CompressedBlocks, AutoCloseable {
    private final Samples samples;
    private final BlockPlan cut;
    private final OutputFile file;
    private final Arena arena = Arena.ofShared();
    private final long[] offsets;
    private final long[] stored;
    private final long[] addresses;
    private final boolean[] isPlain;
    /** CRC32C of each value, field after field. */
    private final MemorySegment checksums;

    private final AtomicLong end = new AtomicLong();

    private BlockSpool(Samples samples, BlockPlan cut, OutputFile file) {
        this.samples = samples;
        this.cut = cut;
        this.file = file;
        this.offsets = new long[cut.blocks()];
        this.stored = new long[cut.blocks()];
        this.isPlain = new boolean[cut.blocks()];
        this.addresses = new long[cut.blocks() + 1];
        this.checksums = arena.allocate(
                4 * Math.multiplyExact(samples.count(), (long) cut.fields().size()), 4);
        for (int b = 0; b < cut.blocks(); b++) {
            addresses[b + 1] = addresses[b] + measure(b);
        }
    }

    private long measure(int block) {
        long bytes = BlockValues.bytes(samples, cut, block);
        if (bytes > BlockTable.MAX_BLOCK_BYTES) {
            throw new StokerException(samples.describe(cut.first(cut.group(block))) + ": " + bytes
                    + " bytes are too many for one compressed block, which has at most " + BlockTable.MAX_BLOCK_BYTES
                    + "; leave out --compression");
        }
        return bytes;
    }

    /** Compresses all samples. */
    public static BlockSpool compress(Samples samples, BlockPlan cut, Path path, int workers, Progress progress) {
        delete(path);
        var spool = new BlockSpool(samples, cut, OutputFile.open(path));
        try {
            progress.begin("compressing", samples.count(), spool.addresses[cut.blocks()]);
            WorkerPool.run(workers, cut.groups(), () -> new Compressor(spool, progress));
            return spool;
        } catch (RuntimeException e) {
            spool.close();
            throw e;
        }
    }

    /** One thread's way of compressing. */
    private static final class Compressor implements WorkerPool.Worker {
        private final BlockSpool spool;
        private final Progress progress;
        private final Codec codec;
        private Arena memory = Arena.ofConfined();
        private MemorySegment buffer = memory.allocate(0);

        Compressor(BlockSpool spool, Progress progress) {
            this.spool = spool;
            this.progress = progress;
            this.codec = Codecs.named(spool.cut.codec());
        }

        @Override
        public void work(long group) {
            long bytes = 0;
            for (int field : spool.cut.fields()) {
                int block = spool.cut.block((int) group, field);
                spool.write(block, gather(block), codec);
                bytes += spool.decoded(block);
            }
            progress.add(spool.cut.end((int) group) - spool.cut.first((int) group), bytes);
        }

        /** The values of a block, one after another. */
        private MemorySegment gather(int block) {
            MemorySegment whole = room(spool.decoded(block));
            int field = spool.cut.field(block);
            BlockValues.gather(
                    spool.samples,
                    spool.cut,
                    block,
                    whole,
                    (sample, value) -> spool.note(sample, field, Checksum.of(value)));
            return whole;
        }

        private MemorySegment room(long bytes) {
            if (bytes > buffer.byteSize()) {
                memory.close();
                memory = Arena.ofConfined();
                buffer = memory.allocate(bytes, 64);
            }
            return buffer.asSlice(0, bytes);
        }

        @Override
        public void close() {
            memory.close();
        }
    }

    private void write(int block, MemorySegment whole, Codec codec) {
        MemorySegment smaller = codec.encode(whole);
        boolean isBelieved = BlockTable.isBelieved(whole.byteSize(), smaller.byteSize());
        if (!isBelieved && !cut.mayBePlain()) {
            throw new StokerException(samples.describe(cut.first(cut.group(block))) + ": its " + whole.byteSize()
                    + " bytes become " + smaller.byteSize()
                    + "; this compression ratio exceeds the decompression-bomb limit, so no reader would accept it;"
                    + " leave out --compression, or split the sample");
        }
        isPlain[block] = !isBelieved || cut.mayBePlain() && smaller.byteSize() >= whole.byteSize();
        MemorySegment chosen = isPlain[block] ? whole : smaller;
        stored[block] = chosen.byteSize();
        offsets[block] = end.getAndAdd(chosen.byteSize());
        file.write(offsets[block], chosen);
    }

    private void note(long sample, int field, int checksum) {
        samples.verify(sample, field, () -> checksum);
        checksums.set(LittleEndian.U32, checksumAt(sample, field), checksum);
    }

    private long checksumAt(long sample, int field) {
        return 4 * (cut.fields().indexOf(field) * samples.count() + sample);
    }

    @Override
    public BlockPlan cut() {
        return cut;
    }

    @Override
    public long stored(int block) {
        return stored[block];
    }

    @Override
    public long decoded(int block) {
        return addresses[block + 1] - addresses[block];
    }

    @Override
    public boolean isPlain(int block) {
        return isPlain[block];
    }

    /** Where a block begins among the decoded bytes; of the block behind the last, how many there are. */
    long address(int block) {
        return addresses[block];
    }

    int checksum(long sample, int field) {
        return checksums.get(LittleEndian.U32, checksumAt(sample, field));
    }

    /** The row of the block table for a block that is stored at an offset of the container. */
    MemorySegment row(int block, long offset) {
        MemorySegment row = MemorySegment.ofArray(new byte[BlockTable.ROW_BYTES]);
        row.set(LittleEndian.U64, 0, addresses[block]);
        row.set(LittleEndian.U64, BlockTable.OFFSET, offset);
        row.set(LittleEndian.U64, BlockTable.STORED, stored[block]);
        row.set(LittleEndian.U32, BlockTable.DECODED, (int) decoded(block));
        row.set(LittleEndian.U32, BlockTable.PIPELINE, isPlain[block] ? BlockMeta.PLAIN : 0);
        return row;
    }

    /** Writes the last row of the block table, which tells how many decoded bytes there are. */
    void writeEnd(IndexLayout layout, OutputFile index) {
        MemorySegment row = MemorySegment.ofArray(new byte[BlockTable.ROW_BYTES]);
        row.set(LittleEndian.U64, 0, addresses[cut.blocks()]);
        index.write(layout.blocks() + (long) cut.blocks() * BlockTable.ROW_BYTES, row);
    }

    /** Reads a part of a stored block. */
    void read(int block, long from, MemorySegment to) {
        if (!file.read(offsets[block] + from, to)) {
            throw new StokerException(file.path(), "became shorter while it was used; pack again");
        }
    }

    @Override
    public void close() {
        arena.close();
        file.close();
        delete(file.path());
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(path, e);
        }
    }
}
