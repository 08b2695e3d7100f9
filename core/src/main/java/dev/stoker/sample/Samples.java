package dev.stoker.sample;

import dev.stoker.PublicApi;
import dev.stoker.os.FileStamp;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Samples whose sizes are known and whose bytes can be had on demand: files of a folder that were listed, rows of a
 * manifest, or an open container. A container is planned from the sizes alone, and filled by reading.
 *
 * <p>All methods may be called by many threads at once.
 */
@PublicApi
public interface Samples extends AutoCloseable {
    Schema schema();

    /** The splits, in the order of their samples; empty where there are none. */
    default List<Split> splits() {
        return List.of();
    }

    long count();

    /** Bytes of one value; costs no input or output. */
    long length(long sample, int field);

    /** The dimensions of one value of a field of type {@link FieldType.Array}; costs no input or output. */
    default long[] shape(long sample, int field) {
        throw new IllegalStateException("no field is an array");
    }

    /**
     * Copies the bytes {@code from … from + to.byteSize() - 1} of a value.
     *
     * @throws dev.stoker.StokerException if they cannot be had, or are no longer what was listed
     */
    void read(long sample, int field, long from, MemorySegment to);

    /**
     * Compares the CRC32C of a whole value that was read with the one that it should have; does nothing where none is
     * known.
     *
     * @param checksum is asked only where there is something to compare with
     * @throws dev.stoker.StokerException if the value is damaged
     */
    default void verify(long sample, int field, IntSupplier checksum) {}

    /** The sample as a person knows it, for messages: its path, or its number. */
    default String describe(long sample) {
        return "sample " + sample;
    }

    /** What the source holds and no field delivers; empty where everything is delivered. */
    default List<Omission> omissions() {
        return List.of();
    }

    /**
     * A hash of everything that the plan is made from. The same samples have the same fingerprint in every process;
     * samples that changed in a way that can be seen without reading them have another one.
     */
    String fingerprint();

    /**
     * The files that values are read from, as they were before anything was read; without those that are looked at
     * whenever they are read.
     */
    default List<FileStamp> seenFiles() {
        return List.of();
    }

    @Override
    void close();
}
