package dev.stoker.formats.parquet.thrift;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes structs in Thrift's compact protocol. Fields have to be given in the order of their numbers:
 *
 * <pre>
 *   field     1 byte: distance from the last field's number (1-15), type; or type, then the number as zigzag varint
 *   integers  zigzag varint         binary  varint length, bytes        bool  in the field's type
 *   list      1 byte: size (0-14), type of elements; or f0 | type, varint size; then the elements
 *   struct    its fields, then 00
 * </pre>
 */
public final class ThriftWriter {
    private static final int DEEPEST = 16;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final int[] lastFields = new int[DEEPEST];
    private int depth;

    public byte[] toBytes() {
        return out.toByteArray();
    }

    int size() {
        return out.size();
    }

    public ThriftWriter i32(int field, long value) {
        header(field, ThriftType.I32);
        zigzag(value);
        return this;
    }

    public ThriftWriter i64(int field, long value) {
        header(field, ThriftType.I64);
        zigzag(value);
        return this;
    }

    public ThriftWriter i8(int field, int value) {
        header(field, ThriftType.I8);
        out.write(value);
        return this;
    }

    public ThriftWriter bool(int field, boolean value) {
        header(field, value ? ThriftType.TRUE : ThriftType.FALSE);
        return this;
    }

    public ThriftWriter binary(int field, byte[] value) {
        header(field, ThriftType.BINARY);
        binary(value);
        return this;
    }

    public ThriftWriter text(int field, String value) {
        return binary(field, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Begins a struct that is a field; {@link #end} ends it. */
    public ThriftWriter struct(int field) {
        header(field, ThriftType.STRUCT);
        return element();
    }

    /** Begins a struct that is an element of a list, or a field; {@link #end} ends it. */
    public ThriftWriter element() {
        lastFields[++depth] = 0;
        return this;
    }

    /** Ends the struct at hand. */
    public ThriftWriter end() {
        out.write(ThriftType.STOP);
        depth--;
        return this;
    }

    /** A struct without fields. */
    public ThriftWriter empty(int field) {
        return struct(field).end();
    }

    /** Begins a list; its elements follow. */
    public ThriftWriter list(int field, int elementType, int size) {
        header(field, ThriftType.LIST);
        if (size < 15) {
            out.write(size << 4 | elementType);
        } else {
            out.write(0xf0 | elementType);
            varint(size);
        }
        return this;
    }

    /** An integer that is an element of a list. */
    public void number(long value) {
        zigzag(value);
    }

    /** A bool that is an element of a list. */
    public void flag(boolean value) {
        out.write(value ? ThriftType.TRUE : ThriftType.FALSE);
    }

    /** Bytes that are an element of a list. */
    public void binary(byte[] value) {
        varint(value.length);
        out.write(value, 0, value.length);
    }

    private void header(int field, int type) {
        int distance = field - lastFields[depth];
        if (distance > 0 && distance < 16) {
            out.write(distance << 4 | type);
        } else {
            out.write(type);
            zigzag(field);
        }
        lastFields[depth] = field;
    }

    private void zigzag(long value) {
        varint(value << 1 ^ value >> 63);
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
