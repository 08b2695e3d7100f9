package dev.stoker.formats.parquet.schema;

import dev.stoker.formats.parquet.thrift.ThriftReader;
import dev.stoker.formats.parquet.thrift.ThriftWriter;
import dev.stoker.sample.DType;
import org.jspecify.annotations.Nullable;

/** The logical types of a schema element: the newer ones (field 10), and the converted types of old (field 6). */
public final class LogicalTypeCodec {
    private static final LogicalType[] CONVERTED = {
        LogicalType.TEXT, // UTF8
        LogicalType.MAP, // MAP
        LogicalType.MAP, // MAP_KEY_VALUE
        LogicalType.LIST, // LIST
        LogicalType.TEXT, // ENUM
        LogicalType.DECIMAL, // DECIMAL
        LogicalType.TIME, // DATE
        LogicalType.TIME, // TIME_MILLIS
        LogicalType.TIME, // TIME_MICROS
        LogicalType.TIME, // TIMESTAMP_MILLIS
        LogicalType.TIME, // TIMESTAMP_MICROS
        LogicalType.UINT8,
        LogicalType.UINT16,
        LogicalType.UINT32,
        LogicalType.UINT64,
        LogicalType.INT8,
        LogicalType.INT16,
        LogicalType.INT32,
        LogicalType.INT64,
        LogicalType.TEXT, // JSON
        LogicalType.BYTES, // BSON
        LogicalType.INTERVAL, // INTERVAL
    };

    private static final LogicalType[] LOGICAL = {
        LogicalType.NONE, // there is no type 0
        LogicalType.TEXT, // STRING
        LogicalType.MAP, // MAP
        LogicalType.LIST, // LIST
        LogicalType.TEXT, // ENUM
        LogicalType.DECIMAL, // DECIMAL
        LogicalType.TIME, // DATE
        LogicalType.TIME, // TIME
        LogicalType.TIME, // TIMESTAMP
        LogicalType.NONE, // there is no type 9
        LogicalType.NONE, // INTEGER, which has a width
        LogicalType.UNKNOWN, // UNKNOWN
        LogicalType.TEXT, // JSON
        LogicalType.BYTES, // BSON
        LogicalType.BYTES, // UUID
        LogicalType.FLOAT16, // FLOAT16
        LogicalType.VARIANT, // VARIANT
        LogicalType.BYTES, // GEOMETRY
        LogicalType.BYTES, // GEOGRAPHY
    };

    private static final int STRING = 1;
    private static final int LIST = 3;
    private static final int INTEGER = 10;
    private static final int FLOAT16 = 15;

    private LogicalTypeCodec() {}

    /** Writes the fields 6 and 10 of a schema element. */
    public static void write(LogicalType logical, ThriftWriter to) {
        if (logical == LogicalType.NONE) {
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
    public static LogicalType converted(int number) {
        return number >= 0 && number < CONVERTED.length ? CONVERTED[number] : LogicalType.NONE;
    }

    /** Reads the struct of field 10. */
    public static LogicalType read(ThriftReader from) {
        LogicalType found = LogicalType.NONE;
        from.enter();
        for (int field = from.next(); field != 0; field = from.next()) {
            if (field == INTEGER) {
                found = integer(from);
            } else {
                found = field < LOGICAL.length ? LOGICAL[field] : LogicalType.NONE;
                from.skip();
            }
        }
        from.leave();
        return found;
    }

    private static LogicalType integer(ThriftReader from) {
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
        return LogicalType.ofInteger(bits, signed);
    }
}
