package dev.stoker.feed;

import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A field as batches have it.
 *
 * @param field its name, and the type of what is delivered
 * @param sources its number in each dataset; {@link #MISSING} where a dataset does not have it
 * @param decoders makes a decoder for each thread, where the values are decoded
 * @param padding bytes that every value is padded to with zeros; {@link #NONE}, or {@link #LONGEST} of each batch
 */
record BatchField(Field field, int[] sources, @Nullable Supplier<? extends Decoder> decoders, long padding) {
    static final int MISSING = -1;
    static final long NONE = -1;
    static final long LONGEST = 0;

    FieldType type() {
        return field.type();
    }

    boolean isDecoded() {
        return decoders != null;
    }

    /** Whether every value of a batch has the same number of bytes there. */
    boolean isDense() {
        return type().isFixed() || padding != NONE;
    }

    /** The number of dimensions that each value has for itself; 0 if its type says all. */
    int shapeRank() {
        return type() instanceof FieldType.Array array ? array.rank() : 0;
    }
}
