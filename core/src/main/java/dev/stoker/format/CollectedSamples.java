package dev.stoker.format;

import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The samples that were collected in a file, in the order that they are to have. */
public interface CollectedSamples {
    /** The bytes of a batch, as {@link CollectingLayout#fill} gave them. */
    record Block(long offset, long length) {}

    Schema schema();

    long count();

    /** Where a value lies in the file. */
    long offset(long sample, int field);

    long length(long sample, int field);

    /** The dimensions of a value of an array field. */
    long[] shape(long sample, int field);

    /** A value where it lies; valid until the file is sealed. */
    MemorySegment value(long sample, int field);

    /** The batches, in order. */
    List<Block> blocks();

    /** The first byte that may belong to a batch; the bytes before it are for the container's head. */
    long start();

    /** Where the last batch ends. */
    long end();
}
