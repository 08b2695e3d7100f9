package dev.stoker.formats.parquet.read;

import dev.stoker.formats.parquet.schema.PageLocation;

/**
 * What a file may unfold into. A few bytes can stand for very many values or very long ones, so that a damaged or
 * hostile file could take all memory; these bounds are far beyond what files of their size hold.
 */
final class ParquetLimits {
    private static final long VALUES = 16 << 20;
    private static final long VALUES_PER_BYTE = 64;
    /** What a page costs however little it holds. */
    private static final long PAGE_VALUES = 64;

    private static final long WORK = 4L << 30;
    private static final long WORK_PER_BYTE = 1024;
    private static final long BYTES = 256 << 20;
    private static final long BYTES_PER_BYTE = 4;

    private final long mostBytes;
    private long values;
    private long bytes;
    private long work;

    ParquetLimits(long fileSize) {
        this.values = VALUES + VALUES_PER_BYTE * fileSize;
        this.mostBytes = Math.max(BYTES, BYTES_PER_BYTE * fileSize);
        this.bytes = mostBytes;
        this.work = WORK + WORK_PER_BYTE * fileSize;
    }

    /** Counts a page, and the values that it says it has. */
    void page(long count, PageLocation place) {
        values -= PAGE_VALUES + count;
        if (values < 0) {
            throw place.corrupt("a page of " + count + " values is more than a file of this size holds");
        }
    }

    /** Counts bytes that are looked at. */
    void work(long count, PageLocation place) {
        work -= count;
        if (work < 0) {
            throw place.corrupt("pages unfold into far more than a file of this size holds");
        }
    }

    /** Counts bytes that are kept in the Index. */
    void bytes(long count, PageLocation place) {
        requireRoom(count, place);
        bytes -= count;
    }

    /** Refuses what could not be kept, before it is decoded. */
    void requireRoom(long count, PageLocation place) {
        if (count > bytes) {
            throw place.unsupported("has to be decoded into the Index, which would take more than " + mostBytes
                    + " bytes; write the file without dictionaries and with encoding PLAIN");
        }
    }
}
