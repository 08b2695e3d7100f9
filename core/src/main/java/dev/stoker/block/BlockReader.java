package dev.stoker.block;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.os.FileErrors;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Reads decoded bytes of one container. Any number of threads may read.
 *
 * <p>What lies in one block is given where it lies, in the cache or, for blocks that are stored as they are, in the
 * mapped file; what reaches over several is put together.
 */
public final class BlockReader implements ByteReader, AutoCloseable {
    private final BlockTable table;
    private final MemorySegment index;
    private final Files files;
    private final BlockCache cache;

    /** The files that blocks are stored in, mapped. */
    public interface Files {
        /** The whole of a file; number 0 is the container itself. */
        MemorySegment bytes(int file);

        /** The name of a file, for errors. */
        String name(int file);

        /** How many bytes the container has, which need not be here. */
        default long size() {
            return bytes(0).byteSize();
        }

        /** A part of a file, which must lie inside it. */
        default MemorySegment stored(int file, long offset, long length) {
            MemorySegment bytes = bytes(file);
            requireInside(name(file), bytes.byteSize(), offset, length);
            return bytes.asSlice(offset, length);
        }
    }

    /** @param index the Index's bytes, which hold the lists of tiles */
    public BlockReader(BlockTable table, MemorySegment index, Files files, BlockCache cache) {
        this.table = table;
        this.index = index;
        this.files = files;
        this.cache = cache;
    }

    @Override
    public MemorySegment read(long address, long length) {
        if (length == 0) {
            return MemorySegment.ofArray(new byte[0]);
        }
        long number = table.find(address);
        Block block = table.block(number);
        long from = address - block.address();
        if (from + length <= block.bytes()) {
            return contributed(number, block).asSlice(from, length);
        }
        MemorySegment inOnePiece = plain(number, block, from, length);
        if (inOnePiece != null) {
            return inOnePiece;
        }
        MemorySegment whole = DecodedMemory.allocate(length);
        long done = 0;
        while (done < length) {
            long part = Math.min(length - done, block.bytes() - from);
            if (part < 0) {
                throw table.damaged("no block holds the decoded byte " + (address + done));
            }
            MemorySegment.copy(contributed(number, block), from, whole, done, part);
            done += part;
            from = 0;
            if (done < length) {
                block = table.block(++number);
            }
        }
        return whole;
    }

    /** What reaches over blocks that are stored as they are, one behind the other in one file; null if it does not. */
    private @Nullable MemorySegment plain(long first, Block block, long from, long length) {
        long start = block.offset() + block.skip() + from;
        long end = start - from;
        Block next = block;
        for (long number = first; ; next = table.block(++number)) {
            if (!table.pipeline(next).isPlain()
                    || next.file() != block.file()
                    || next.offset() + next.skip() != end
                    || next.stored() != next.decoded()) {
                return null;
            }
            end += next.bytes();
            if (end - start >= length) {
                return stored(block.file(), start, length);
            }
        }
    }

    /** The decoded bytes that a block contributes. */
    private MemorySegment contributed(long number, Block block) {
        CodecPipeline pipeline = table.pipeline(block);
        MemorySegment decoded =
                pipeline.isPlain() ? stored(block) : cache.get(this, number, () -> decode(block, pipeline));
        return decoded.asSlice(block.skip(), block.bytes());
    }

    private MemorySegment decode(Block block, CodecPipeline pipeline) {
        try {
            requireBelieved(block.decoded());
            if (!TileLayout.is(pipeline)) {
                return pipeline.decode(stored(block), block.decoded());
            }
            MemorySegment whole = DecodedMemory.allocate(block.decoded());
            MemorySegment list = slice(index, table.file(), block.offset(), block.stored());
            new TileDecoder(pipeline, block.decoded()).decode(list, this::stored, whole);
            return whole;
        } catch (CorruptContainerException e) {
            throw e;
        } catch (IOException
                | StokerException
                | ArithmeticException
                | IndexOutOfBoundsException
                | IllegalArgumentException e) {
            boolean isTiles = TileLayout.is(pipeline);
            var failure = new CorruptContainerException(
                    files.name(block.file()),
                    // The place of tiles is one in the Index; the reason names the tile's own.
                    isTiles ? CorruptContainerException.NOWHERE : block.offset(),
                    "the block of " + (isTiles ? block.decoded() + " decoded" : block.stored()) + " bytes (" + pipeline
                            + ") cannot be decoded: " + e.getMessage());
            failure.initCause(e);
            throw failure;
        } catch (InternalError e) {
            FileErrors.requireFault(e);
            var failure = new CorruptContainerException(
                    files.name(block.file()),
                    block.offset(),
                    "the mapped file could not be read here; it became shorter, or its storage failed");
            failure.initCause(e);
            throw failure;
        }
    }

    private void requireBelieved(long decoded) {
        // What all the files of a folder have together is not known here.
        if (table.files().isEmpty() && !BlockTable.isBelieved(decoded, files.size())) {
            throw new StokerException(
                    "a file of " + files.size() + " bytes is too small for blocks of " + decoded + " bytes");
        }
    }

    private MemorySegment stored(Block block) {
        if (table.pipeline(block).isPlain() && block.stored() != block.decoded()) {
            throw new CorruptContainerException(
                    files.name(block.file()),
                    block.offset(),
                    "a block that is stored as it is should have " + block.decoded() + " bytes but has "
                            + block.stored());
        }
        return stored(block.file(), block.offset(), block.stored());
    }

    private MemorySegment stored(int file, long offset, long length) {
        if (file < 0 || file > table.files().size()) {
            throw new CorruptContainerException(
                    table.file(), CorruptContainerException.NOWHERE, "there is no file " + file + " of blocks");
        }
        return files.stored(file, offset, length);
    }

    private static MemorySegment slice(MemorySegment bytes, String name, long offset, long length) {
        requireInside(name, bytes.byteSize(), offset, length);
        return bytes.asSlice(offset, length);
    }

    /** Refuses a block that its file cannot hold. */
    public static void requireInside(String name, long size, long offset, long length) {
        if (offset < 0 || length < 0 || offset > size - length) {
            throw new CorruptContainerException(
                    name,
                    offset,
                    "a block of " + length + " stored bytes should lie inside the file's " + size
                            + " bytes; the Index is damaged or belongs to another file");
        }
    }

    @Override
    public void close() {
        cache.forget(this);
    }
}
