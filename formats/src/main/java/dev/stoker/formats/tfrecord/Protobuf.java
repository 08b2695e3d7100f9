package dev.stoker.formats.tfrecord;

import dev.stoker.CorruptContainerException;
import dev.stoker.io.MappedFile;
import java.lang.foreign.ValueLayout;

/** Reads the parts of one protobuf message, one after another. */
final class Protobuf {
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int BYTES = 2;
    static final int FIXED32 = 5;

    private final MappedFile file;
    private final long end;
    private long at;
    private int number;
    private int wire;
    private long start;
    private long length;

    Protobuf(MappedFile file, long start, long length) {
        this.file = file;
        this.at = start;
        this.end = start + length;
    }

    /** The message in the part that was stepped to. */
    Protobuf inner() {
        return new Protobuf(file, start, length);
    }

    /** Steps to the next part; false at the end of the message. */
    boolean step() {
        if (at == end) {
            return false;
        }
        long tag = varint();
        number = (int) Math.min(tag >>> 3, Integer.MAX_VALUE);
        wire = (int) (tag & 7);
        if (wire == VARINT) {
            start = at;
            varint();
            length = at - start;
            return true;
        }
        length = wire == FIXED64 ? 8 : wire == FIXED32 ? 4 : wire == BYTES ? varint() : -1;
        start = at;
        if (length < 0 || length > end - start) {
            throw corrupt("a part of an example should have " + length + " bytes, but the message ends at byte " + end
                    + "; the records hold something else than tf.train.Example");
        }
        at = start + length;
        return true;
    }

    /** The next number of a part that is nothing but packed numbers. */
    long varint() {
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            if (at >= end) {
                throw corrupt("a number extends past the end of its message");
            }
            byte b = file.bytes().get(ValueLayout.JAVA_BYTE, at++);
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw corrupt("a number has more than 10 bytes");
    }

    boolean hasMore() {
        return at < end;
    }

    CorruptContainerException corrupt(String reason) {
        return new CorruptContainerException(file.name(), at, reason);
    }

    /** The part's number in its message. */
    int number() {
        return number;
    }

    /** How the part is written: one of the constants here. */
    int wire() {
        return wire;
    }

    long start() {
        return start;
    }

    long length() {
        return length;
    }
}
