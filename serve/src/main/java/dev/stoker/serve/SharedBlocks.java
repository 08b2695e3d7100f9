package dev.stoker.serve;

import dev.stoker.feed.BatchMemorySource;
import dev.stoker.os.SharedMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one client's batches: numbered blocks, each of which the client maps once. Threads of the feed make and
 * give back blocks while the session asks which block a batch lies in.
 */
final class SharedBlocks implements BatchMemorySource {
    private final Map<Long, Block> byAddress = new HashMap<>();
    private final Map<Integer, Block> byNumber = new HashMap<>();
    private final List<Integer> freed = new ArrayList<>();
    private int last;

    /** A block of memory; its file is open until the client has it. */
    final class Block implements Piece {
        private final int number;
        private final SharedMemory memory;

        private Block(int number, SharedMemory memory) {
            this.number = number;
            this.memory = memory;
        }

        int number() {
            return number;
        }

        SharedMemory memory() {
            return memory;
        }

        @Override
        public MemorySegment bytes() {
            return memory.bytes();
        }

        @Override
        public void close() {
            free(this);
        }
    }

    @Override
    public synchronized Piece allocate(long bytes) {
        SharedMemory memory;
        try {
            memory = new SharedMemory(bytes);
        } catch (IOException e) {
            var failure = new OutOfMemoryError("no shared memory: " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
        var block = new Block(++last, memory);
        byAddress.put(memory.bytes().address(), block);
        byNumber.put(block.number, block);
        return block;
    }

    private synchronized void free(Block block) {
        if (byNumber.remove(block.number) != null) {
            byAddress.remove(block.bytes().address());
            // One that the client never got needs no mention.
            if (block.memory.file() < 0) {
                freed.add(block.number);
            }
            block.memory.close();
        }
    }

    /** The block that begins where a batch's memory does; null for a batch without bytes. */
    synchronized @Nullable Block at(MemorySegment batch) {
        return byAddress.get(batch.address());
    }

    /** The block with a number; null if it was freed, or never was. */
    synchronized @Nullable Block numbered(int number) {
        return byNumber.get(number);
    }

    /** The blocks that were given back since the last call. */
    synchronized List<Integer> takeFreed() {
        List<Integer> taken = List.copyOf(freed);
        freed.clear();
        return taken;
    }
}
