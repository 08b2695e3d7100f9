package dev.stoker.formats.parquet.thrift;

import dev.stoker.CorruptContainerException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Reads structs in Thrift's compact protocol (see {@link ThriftWriter}), never beyond a given end. A struct is read as
 *
 * <pre>
 * from.enter();
 * for (int field = from.next(); field != 0; field = from.next()) {
 *     switch (field) {
 *         case 1 -> number = from.i32();
 *         default -> from.skip();
 *     }
 * }
 * from.leave();
 * </pre>
 */
public final class ThriftReader {
    private static final int DEEPEST = 64;

    private final String file;
    private final MemorySegment bytes;
    private final long end;
    private long at;
    private final int[] lastFields = new int[DEEPEST];
    private int depth;
    /** The type of the field at hand. */
    private int type = ThriftType.STRUCT;

    public ThriftReader(String file, MemorySegment bytes, long from, long end) {
        this.file = file;
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /** Where the next byte lies. */
    public long position() {
        return at;
    }

    public CorruptContainerException corrupt(String reason) {
        return new CorruptContainerException(file, at, reason + "; the file is damaged");
    }

    public void enter() {
        if (type != ThriftType.STRUCT) {
            throw corrupt("expected a struct but found type " + type);
        }
        if (depth + 1 == DEEPEST) {
            throw corrupt("structs lie more than " + DEEPEST + " deep in each other");
        }
        lastFields[++depth] = 0;
    }

    public void leave() {
        depth--;
        type = ThriftType.STRUCT;
    }

    /** The number of the next field; 0 when there is none. */
    public int next() {
        int head = u8();
        if (head == ThriftType.STOP) {
            return 0;
        }
        type = head & 0xf;
        long field = head >> 4 == 0 ? zigzag() : lastFields[depth] + (head >> 4);
        if (field <= 0 || field > Short.MAX_VALUE) {
            throw corrupt("a struct has a field of number " + field);
        }
        lastFields[depth] = (int) field;
        return (int) field;
    }

    public boolean bool() {
        if (type != ThriftType.TRUE && type != ThriftType.FALSE) {
            throw corrupt("expected a bool but found type " + type);
        }
        return type == ThriftType.TRUE;
    }

    public int i8() {
        expect(ThriftType.I8);
        return (byte) u8();
    }

    public int i32() {
        expect(ThriftType.I32);
        return number();
    }

    /** An integer of 32 bits that is an element of a list. */
    public int number() {
        long value = zigzag();
        if (value != (int) value) {
            throw corrupt("expected a number of 32 bits but found " + value);
        }
        return (int) value;
    }

    public long i64() {
        expect(ThriftType.I64);
        return zigzag();
    }

    public byte[] binary() {
        expect(ThriftType.BINARY);
        long length = length();
        byte[] value = bytes.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
        at += length;
        return value;
    }

    public String text() {
        return new String(binary(), StandardCharsets.UTF_8);
    }

    /** Begins a list; returns how many elements follow. Each takes a byte at least. */
    public int list(int elementType) {
        expect(ThriftType.LIST);
        int head = u8();
        long size = head >> 4 == 15 ? varint() : head >> 4;
        if ((head & 0xf) != elementType && size > 0) {
            throw corrupt("expected a list of type " + elementType + " but found one of type " + (head & 0xf));
        }
        if (size < 0 || size > end - at) {
            throw corrupt("a list should have at most " + (end - at) + " elements but has " + size);
        }
        type = elementType;
        return (int) Math.min(size, Integer.MAX_VALUE);
    }

    public void skip() {
        skip(type, 0);
    }

    private void skip(int skipped, int deep) {
        if (deep == DEEPEST) {
            throw corrupt("values lie more than " + DEEPEST + " deep in each other");
        }
        switch (skipped) {
            case ThriftType.TRUE, ThriftType.FALSE -> {}
            case ThriftType.I8 -> u8();
            case ThriftType.I16, ThriftType.I32, ThriftType.I64 -> varint();
            case ThriftType.DOUBLE -> skipBytes(8);
            case ThriftType.UUID -> skipBytes(16);
            case ThriftType.BINARY -> skipBytes(length());
            case ThriftType.LIST, ThriftType.SET -> skipList(deep);
            case ThriftType.MAP -> skipMap(deep);
            case ThriftType.STRUCT -> skipStruct(deep);
            default -> throw corrupt("there is no type " + skipped);
        }
    }

    private void skipList(int deep) {
        int head = u8();
        long size = head >> 4 == 15 ? varint() : head >> 4;
        skipElements(size, head & 0xf, deep);
    }

    private void skipElements(long size, int elementType, int deep) {
        if (size < 0 || size > end - at) {
            throw corrupt("a list should have at most " + (end - at) + " elements but has " + size);
        }
        boolean isBool = elementType == ThriftType.TRUE || elementType == ThriftType.FALSE;
        for (long i = 0; i < size; i++) {
            // Bools take a byte in a list.
            skip(isBool ? ThriftType.I8 : elementType, deep + 1);
        }
    }

    private void skipMap(int deep) {
        long size = varint();
        if (size == 0) {
            return;
        }
        int types = u8();
        if (size < 0 || size > end - at) {
            throw corrupt("a map should have at most " + (end - at) + " entries but has " + size);
        }
        for (long i = 0; i < size; i++) {
            skipElements(1, types >> 4, deep);
            skipElements(1, types & 0xf, deep);
        }
    }

    private void skipStruct(int deep) {
        for (int head = u8(); head != ThriftType.STOP; head = u8()) {
            if (head >> 4 == 0) {
                varint();
            }
            skip(head & 0xf, deep + 1);
        }
    }

    private void skipBytes(long count) {
        if (count > end - at) {
            throw tooShort();
        }
        at += count;
    }

    private long length() {
        long length = varint();
        if (length < 0 || length > Math.min(end - at, Integer.MAX_VALUE)) {
            throw corrupt("a value should have at most " + (end - at) + " bytes but has " + length);
        }
        return length;
    }

    private void expect(int expected) {
        if (type != expected) {
            throw corrupt("expected type " + expected + " but found type " + type);
        }
    }

    private long zigzag() {
        long value = varint();
        return value >>> 1 ^ -(value & 1);
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = u8();
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw corrupt("a number has more than 64 bits");
    }

    private int u8() {
        if (at >= end) {
            throw tooShort();
        }
        return bytes.get(ValueLayout.JAVA_BYTE, at++) & 0xff;
    }

    private CorruptContainerException tooShort() {
        return corrupt("metadata should end before byte " + end + " but continues");
    }
}
