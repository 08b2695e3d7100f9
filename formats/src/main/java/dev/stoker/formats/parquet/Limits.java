package dev.stoker.formats.parquet;

/**
 * What a file may unfold into. A few bytes can stand for very many values or very long ones, so that a damaged or
 * hostile file could take all memory; these bounds are far beyond what files of their size hold.
 */
final class Limits {
    private static final long VALUES = 16 << 20;
    private static final long VALUES_PER_BYTE = 64;
    private static final long BYTES = 256 << 20;
    private static final long BYTES_PER_BYTE = 4;

    private final long mostBytes;
    private long values;
    private long bytes;

    Limits(long fileSize) {
        this.values = VALUES + VALUES_PER_BYTE * fileSize;
        this.mostBytes = Math.max(BYTES, BYTES_PER_BYTE * fileSize);
        this.bytes = mostBytes;
    }

    /** Counts values that a page says it has. */
    void values(long count, Place place) {
        values -= count;
        if (values < 0) {
            throw place.corrupt("a page of " + count + " values is more than a file of this size holds");
        }
    }

    /** Counts bytes that are kept in the Index. */
    void bytes(long count, Place place) {
        requireRoom(count, place);
        bytes -= count;
    }

    /** Refuses what could not be kept, before it is decoded. */
    void requireRoom(long count, Place place) {
        if (count > bytes) {
            throw place.unsupported("has to be decoded into the Index, which would take more than " + mostBytes
                    + " bytes; write the file without dictionaries and with encoding PLAIN");
        }
    }
}
