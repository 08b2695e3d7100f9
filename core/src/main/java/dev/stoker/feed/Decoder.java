package dev.stoker.feed;

import dev.stoker.PublicApi;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;

/**
 * Turns the encoded value of a field, such as a JPEG picture, into an array of one shape for all samples. Every worker
 * thread has an instance of its own, so an instance may keep scratch memory; it is closed by the thread that made it.
 *
 * <p>A {@link RuntimeException} from {@link #decode} says that the sample is bad; what happens then is the feed's
 * {@link BadPolicy}.
 */
@PublicApi
public interface Decoder extends AutoCloseable {
    /** What every decoded value is. The same for all instances. */
    FieldType.Tensor output();

    /**
     * Decodes one value. All randomness is to come from {@code seed}, {@code epoch} and {@code sample}, so that results
     * do not depend on the number of threads.
     *
     * @param encoded the value's bytes; valid during the call only
     * @param batch the memory of the batch
     * @param offset where in it the {@code output().width()} bytes of the result go
     * @param sample the number of the sample in its dataset
     */
    void decode(MemorySegment encoded, MemorySegment batch, long offset, long seed, long epoch, long sample);

    @Override
    default void close() {}
}
