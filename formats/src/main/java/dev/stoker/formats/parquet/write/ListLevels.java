package dev.stoker.formats.parquet.write;

import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;

/**
 * The levels that say where lists begin and which are empty, for lists and elements that are never null. A list of n
 * elements has the repetition levels 0, 1, 1, ... and the definition levels 1, 1, 1, ...; an empty one has 0 and 0.
 */
final class ListLevels {
    private final RunLengthWriter repetition = new RunLengthWriter();
    private final RunLengthWriter definition = new RunLengthWriter();
    private long entries;

    void add(long elements) {
        repetition.add(0, 1);
        repetition.add(1, Math.max(0, elements - 1));
        definition.add(elements == 0 ? 0 : 1, Math.max(1, elements));
        entries += Math.max(1, elements);
    }

    /** How many levels there are of either kind. */
    long entries() {
        return entries;
    }

    /** The levels as a page begins with them: {@code u32 length}, repetition; {@code u32 length}, definition. */
    byte[] finish() {
        byte[] first = repetition.finish();
        byte[] second = definition.finish();
        var both = new byte[8 + first.length + second.length];
        MemorySegment to = MemorySegment.ofArray(both);
        to.set(LittleEndian.U32, 0, first.length);
        System.arraycopy(first, 0, both, 4, first.length);
        to.set(LittleEndian.U32, 4 + first.length, second.length);
        System.arraycopy(second, 0, both, 8 + first.length, second.length);
        return both;
    }
}
