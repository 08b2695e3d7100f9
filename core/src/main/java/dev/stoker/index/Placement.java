package dev.stoker.index;

/**
 * Where the values of one field lie.
 *
 * @param place which file holds them
 * @param dense one after another without gaps, so that no extents are needed; only for fixed-length fields
 * @param base the first value's byte, for dense values that have no section of the Index; else -1
 * @param checksums whether each value has a checksum of its own
 */
public record Placement(Place place, boolean dense, long base, boolean checksums) {
    /** The file that holds the values of a field. */
    public enum Place {
        /** The container's own file. */
        FILE,
        /** The Index: values that the container does not hold as they are, or holds in pieces. */
        INDEX,
        /** The container's decoded bytes, see {@link dev.stoker.block.BlockTable}. */
        BLOCKS,
        /** A file of its own for each sample, below the container's folder, named by the sample's key. */
        TREE;

        String label() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Values that have a checksum of their own are wider than this; narrower ones are covered by their section's. */
    public static final int NARROW = 16;

    /** Anywhere in the container's file: found by extents. */
    public static Placement stored() {
        return new Placement(Place.FILE, false, -1, true);
    }

    /** In the container's file, one after another from a byte on; no section covers them, so each has a checksum. */
    public static Placement storedFrom(long base) {
        return new Placement(Place.FILE, true, base, true);
    }

    /** In a section of a {@code .stk} container, one after another. */
    public static Placement storedInSection() {
        return new Placement(Place.FILE, true, -1, true);
    }

    /** Anywhere in the container's decoded bytes: found by extents. */
    public static Placement blocks() {
        return new Placement(Place.BLOCKS, false, -1, true);
    }

    /** In the container's decoded bytes, one after another from a byte on. */
    public static Placement blocksFrom(long base) {
        return new Placement(Place.BLOCKS, true, base, true);
    }

    /** In the Index itself. */
    public static Placement indexed(boolean fixed) {
        return new Placement(Place.INDEX, fixed, -1, false);
    }

    /** Each in a file of its own. */
    public static Placement tree() {
        return new Placement(Place.TREE, false, -1, true);
    }

    Placement withoutChecksums() {
        return new Placement(place, dense, base, false);
    }
}
