package dev.stoker.formats.arrow;

import dev.stoker.index.IndexBuilder;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/** Takes the values of one column in the order of its rows, each in one of two ways, as its placement says. */
interface ValueSink {
    /** The next value lies there in the file. */
    void stored(long offset, long length);

    /** The next value itself; valid during the call. */
    void value(MemorySegment value);

    /** The dimensions of the value just given. */
    void shape(long... dimensions);

    /** The value that is given next, or an element of it, stands for a null. */
    default void missing() {}

    /**
     * The value that is given next is not in the file as it should be read, since a part of it is null: the values of the
     * column have to be copied.
     */
    void requireCopies(BatchCursor batch, String column);

    /**
     * The sink that is a field of an Index.
     *
     * @param toCopy takes the field if its values have to be copied
     */
    static ValueSink of(IndexBuilder builder, int field, BitSet toCopy) {
        return new ValueSink() {
            @Override
            public void stored(long offset, long length) {
                builder.stored(field, offset, length);
            }

            @Override
            public void value(MemorySegment value) {
                builder.value(field, value);
            }

            @Override
            public void requireCopies(BatchCursor batch, String column) {
                toCopy.set(field);
            }

            @Override
            public void missing() {
                builder.missing(field);
            }

            @Override
            public void shape(long... dimensions) {
                builder.shape(field, dimensions);
            }
        };
    }
}
