package dev.stoker.format;

import java.util.Arrays;
import java.util.List;

/**
 * How samples are to be compressed: in groups of consecutive ones, each field of a group being one block. A block holds
 * the values one after another.
 *
 * <p>Blocks are numbered group by group, and in a group by the order of the fields.
 *
 * @param fields those that are compressed
 * @param ends for each group, the sample behind its last
 * @param codec what compresses
 * @param lengths whether each value is preceded by its length, four bytes, little-endian
 * @param mayBePlain whether a block that does not get smaller may be stored as it is
 */
public record BlockPlan(List<Integer> fields, long[] ends, String codec, boolean lengths, boolean mayBePlain) {
    /** Bytes of a value's length, where there is one. */
    public static final int LENGTH_BYTES = 4;

    public BlockPlan {
        fields = List.copyOf(fields);
    }

    public int groups() {
        return ends.length;
    }

    public int blocks() {
        return Math.multiplyExact(groups(), fields.size());
    }

    /** The number of a block. */
    public int block(int group, int field) {
        return group * fields.size() + fields.indexOf(field);
    }

    public int field(int block) {
        return fields.get(block % fields.size());
    }

    /** The first sample of a group. */
    public long first(int group) {
        return group == 0 ? 0 : ends[group - 1];
    }

    public long end(int group) {
        return ends[group];
    }

    public int group(int block) {
        return block / fields.size();
    }

    /** The group that begins with a sample. */
    public int groupAt(long first) {
        return first == 0 ? 0 : Arrays.binarySearch(ends, first) + 1;
    }

    /** Bytes before a value in its block. */
    public int before() {
        return lengths ? LENGTH_BYTES : 0;
    }
}
