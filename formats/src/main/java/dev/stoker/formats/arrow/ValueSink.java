package dev.stoker.formats.arrow;

import dev.stoker.index.IndexBuilder;
import java.lang.foreign.MemorySegment;

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

    /** The sink that is a field of an Index. */
    static ValueSink of(IndexBuilder builder, int field) {
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
