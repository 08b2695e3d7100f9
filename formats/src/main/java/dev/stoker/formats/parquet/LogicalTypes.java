package dev.stoker.formats.parquet;

import dev.stoker.sample.DType;
import org.jspecify.annotations.Nullable;

/** The logical types of a schema element: the newer ones (field 10), and the converted types of old (field 6). */
final class LogicalTypes {
    private static final Logical[] CONVERTED = {
        Logical.TEXT, // UTF8
        Logical.MAP, // MAP
        Logical.MAP, // MAP_KEY_VALUE
        Logical.LIST, // LIST
        Logical.TEXT, // ENUM
        Logical.DECIMAL, // DECIMAL
        Logical.TIME, // DATE
        Logical.TIME, // TIME_MILLIS
        Logical.TIME, // TIME_MICROS
        Logical.TIME, // TIMESTAMP_MILLIS
        Logical.TIME, // TIMESTAMP_MICROS
        Logical.UINT8,
        Logical.UINT16,
        Logical.UINT32,
        Logical.UINT64,
        Logical.INT8,
        Logical.INT16,
        Logical.INT32,
        Logical.INT64,
        Logical.TEXT, // JSON
        Logical.BYTES, // BSON
        Logical.INTERVAL, // INTERVAL
    };

    private static final Logical[] LOGICAL = {
        Logical.NONE, // there is no type 0
        Logical.TEXT, // STRING
        Logical.MAP, // MAP
        Logical.LIST, // LIST
        Logical.TEXT, // ENUM
        Logical.DECIMAL, // DECIMAL
        Logical.TIME, // DATE
        Logical.TIME, // TIME
        Logical.TIME, // TIMESTAMP
        Logical.NONE, // there is no type 9
        Logical.NONE, // INTEGER, which has a width
        Logical.UNKNOWN, // UNKNOWN
        Logical.TEXT, // JSON
        Logical.BYTES, // BSON
        Logical.BYTES, // UUID
        Logical.FLOAT16, // FLOAT16
        Logical.VARIANT, // VARIANT
        Logical.BYTES, // GEOMETRY
        Logical.BYTES, // GEOGRAPHY
    };

    private static final int STRING = 1;
    private static final int LIST = 3;
    private static final int INTEGER = 10;
    private static final int FLOAT16 = 15;

    private LogicalTypes() {}

    /** Writes the fields 6 and 10 of a schema element. */
    static void write(Logical logical, ThriftWriter to) {
        if (logical == Logical.NONE) {
            return;
        }
        for (int number = 0; number < CONVERTED.length; number++) {
            if (CONVERTED[number] == logical) {
                to.i32(6, number);
                break;
            }
        }
        to.struct(10);
        switch (logical) {
            case TEXT -> to.empty(STRING);
            case LIST -> to.empty(LIST);
            case FLOAT16 -> to.empty(FLOAT16);
            default -> integer(logical.dtype(), to);
        }
        to.end();
    }

    private static void integer(@Nullable DType dtype, ThriftWriter to) {
        if (dtype == null) {
            throw new IllegalArgumentException("this type is not written");
        }
        to.struct(INTEGER).i8(1, 8 * dtype.bytes()).bool(2, !dtype.isUnsigned()).end();
    }

    /** The meaning of a converted type; one that is not known means nothing more than the physical type. */
    static Logical converted(int number) {
        return number >= 0 && number < CONVERTED.length ? CONVERTED[number] : Logical.NONE;
    }

    /** Reads the struct of field 10. */
    static Logical read(ThriftReader from) {
        Logical found = Logical.NONE;
        from.enter();
        for (int field = from.next(); field != 0; field = from.next()) {
            if (field == INTEGER) {
                found = integer(from);
            } else {
                found = field < LOGICAL.length ? LOGICAL[field] : Logical.NONE;
                from.skip();
            }
        }
        from.leave();
        return found;
    }

    private static Logical integer(ThriftReader from) {
        int bits = 0;
        boolean signed = true;
        from.enter();
        for (int field = from.next(); field != 0; field = from.next()) {
            switch (field) {
                case 1 -> bits = from.i8();
                case 2 -> signed = from.bool();
                default -> from.skip();
            }
        }
        from.leave();
        if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
            throw from.corrupt("an integer type has 8, 16, 32 or 64 bits, not " + bits);
        }
        return Logical.ofInteger(bits, signed);
    }
}
