package dev.stoker.listing;

import dev.stoker.io.LittleEndian;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Numbers distinct keys in the order in which they come. The keys are the caller's; the table lies outside the heap. */
public final class KeyTable implements AutoCloseable {
    private final ListedValues keys;
    private Arena arena = Arena.ofShared();
    /** Open addressing: in each slot the number of a key plus 1, or 0. A power of two, at most half full. */
    private MemorySegment slots = arena.allocate(Long.BYTES << 10, 8);

    public KeyTable(ListedValues keys) {
        this.keys = keys;
    }

    /** The number of a key; a new one is added to the keys. */
    public long number(byte[] key) {
        long slot = find(key);
        long number = slots.get(LittleEndian.U64, slot) - 1;
        if (number >= 0) {
            return number;
        }
        keys.add(key);
        slots.set(LittleEndian.U64, slot, keys.count());
        if (2 * Long.BYTES * keys.count() > slots.byteSize()) {
            grow();
        }
        return keys.count() - 1;
    }

    /** The place of the slot that holds a key, or of the free one where it belongs. */
    private long find(byte[] key) {
        long mask = slots.byteSize() - 1;
        long slot = hash(key) * Long.BYTES & mask;
        while (true) {
            long number = slots.get(LittleEndian.U64, slot) - 1;
            if (number < 0 || keys.is(number, key)) {
                return slot;
            }
            slot = slot + Long.BYTES & mask;
        }
    }

    private void grow() {
        Arena larger = Arena.ofShared();
        MemorySegment old = slots;
        slots = larger.allocate(2 * old.byteSize(), 8);
        for (long number = 0; number < keys.count(); number++) {
            slots.set(LittleEndian.U64, find(keys.get(number)), number + 1);
        }
        arena.close();
        arena = larger;
    }

    /** FNV-1a, and a mix at the end so that the low bits depend on all. */
    private static long hash(byte[] key) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : key) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        hash ^= hash >>> 32;
        hash *= 0x9e3779b97f4a7c15L;
        return hash ^ hash >>> 29;
    }

    @Override
    public void close() {
        arena.close();
    }
}
