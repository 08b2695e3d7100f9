package dev.stoker.formats.hdf5.structure;

import dev.stoker.sample.DType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Reads datatype messages. */
final class DatatypeReader {
    static final int FIXED_POINT = 0;
    static final int FLOATING_POINT = 1;
    static final int TIME = 2;
    static final int STRING = 3;
    static final int BIT_FIELD = 4;
    static final int OPAQUE = 5;
    static final int COMPOUND = 6;
    static final int REFERENCE = 7;
    static final int ENUMERATION = 8;
    static final int VARIABLE_LENGTH = 9;
    static final int ARRAY = 10;

    private static final String[] CLASSES = {
        "integer",
        "float",
        "time",
        "string",
        "bit field",
        "opaque",
        "compound",
        "reference",
        "enumeration",
        "variable-length",
        "array",
        "complex"
    };
    /** Types in types, as sequences of arrays; Stoker knows none of more. */
    static final int MAX_DEPTH = 4;

    private static final int MAX_RANK = 32;
    /** At most this many names of an enumeration are told. */
    private static final int MAX_SHOWN = 8;

    private final FileBytes file;
    private final long end;

    private DatatypeReader(FileBytes file, long end) {
        this.file = file;
        this.end = end;
    }

    static Datatype read(FileBytes file, long at, long end) {
        return new DatatypeReader(file, end).type(at, 0);
    }

    /** The names of an enumeration and their numbers, as {@code RED 0, GREEN 1}; empty if a type is none, or a bool. */
    static String enumeration(FileBytes file, long at, long end) {
        boolean isOne = at + 16 <= end && (file.u8(at) & 15) == ENUMERATION;
        if (!isOne || !(read(file, at, end) instanceof Datatype.Number number) || number.dtype() == DType.BOOL) {
            return "";
        }
        boolean isPadded = file.u8(at) >> 4 < 3;
        int members = (int) file.uint(at + 1, 2);
        var names = new ArrayList<String>();
        long place = at + 20;
        for (int m = 0; m < members; m++) {
            String name = file.textTo(place, end);
            int bytes = name.getBytes(StandardCharsets.UTF_8).length + 1;
            place += isPadded ? bytes + 7 & -8 : bytes;
            names.add(name);
        }
        if (place + (long) members * number.bytes() > end) {
            throw file.corrupt(at, "an enumeration of " + members + " names should end at byte " + end);
        }
        var shown = new StringJoiner(", ");
        for (int m = 0; m < Math.min(members, MAX_SHOWN); m++) {
            shown.add(names.get(m) + " " + Numbers.shown(file, number, place + (long) m * number.bytes()));
        }
        return shown + (members > MAX_SHOWN ? ", …" : "");
    }

    Datatype type(long at, int depth) {
        if (at + 8 > end) {
            throw file.corrupt(at, "a datatype should end at byte " + end + " at the latest");
        }
        int kind = file.u8(at) & 15;
        int version = file.u8(at) >> 4;
        int bits = (int) file.uint(at + 1, 3);
        long bytes = file.u32(at + 4);
        long body = at + 8;
        if (bytes == 0 || depth > MAX_DEPTH || version < 1 || version > 5) {
            return other(kind, bytes);
        }
        return switch (kind) {
            case FIXED_POINT -> integer(body, bits, bytes);
            case FLOATING_POINT -> real(body, bits, bytes);
            case STRING -> text(bits, bytes);
            case OPAQUE -> new Datatype.Tensor(new Datatype.Number(DType.UINT8, false), List.of(bytes));
            case COMPOUND -> new CompoundReader(this, file, end).read(body, version, bits & 0xffff, bytes, depth);
            case ENUMERATION -> enumeration(body, version, bits & 0xffff, bytes, depth);
            case VARIABLE_LENGTH -> variable(body, bits, bytes, depth);
            case ARRAY -> array(body, version, bytes, depth);
            default -> other(kind, bytes);
        };
    }

    private static Datatype other(int kind, long bytes) {
        return new Datatype.Other(bytes, kind < CLASSES.length ? CLASSES[kind] : "class " + kind);
    }

    private Datatype integer(long body, int bits, long bytes) {
        boolean whole = bytes <= 8 && file.u16(body) == 0 && file.u16(body + 2) == 8 * bytes;
        DType dtype = whole ? dtype(((bits & 8) != 0 ? "int" : "uint") + 8 * bytes) : null;
        return dtype == null
                ? new Datatype.Other(bytes, "integer of " + file.u16(body + 2) + " bits")
                : new Datatype.Number(dtype, (bits & 1) != 0);
    }

    private static @Nullable DType dtype(String label) {
        for (DType dtype : DType.values()) {
            if (dtype.label().equals(label)) {
                return dtype;
            }
        }
        return null;
    }

    /** Only what IEEE 754 lays out; others of the same size, as bfloat16, are not the same numbers. */
    private Datatype real(long body, int bits, long bytes) {
        for (DType dtype : DType.values()) {
            if (dtype.isFloat() && dtype.bytes() == bytes) {
                byte[] usual = TypeMessages.number(dtype);
                int usualBits = usual[1] & 0xff | (usual[2] & 0xff) << 8;
                boolean isUsual = (bits & ~1) == usualBits;
                for (int i = 8; i < usual.length && isUsual; i++) {
                    isUsual = file.u8(body + i - 8) == (usual[i] & 0xff);
                }
                if (isUsual) {
                    return new Datatype.Number(dtype, (bits & 1) != 0);
                }
            }
        }
        return new Datatype.Other(bytes, "float that is not of IEEE 754");
    }

    private static Datatype text(int bits, long bytes) {
        int padding = bits & 15;
        return padding > 2
                ? new Datatype.Other(bytes, "string with padding " + padding)
                : new Datatype.FixedText(bytes, Datatype.FixedText.Padding.values()[padding]);
    }

    /** An enumeration is the numbers that it is kept as; but that of FALSE and TRUE is h5py's bool. */
    private Datatype enumeration(long body, int version, int members, long bytes, int depth) {
        Datatype base = type(body, depth + 1);
        if (!(base instanceof Datatype.Number number) || base.bytes() != bytes) {
            return new Datatype.Other(bytes, "enumeration of " + base.label());
        }
        if (members == 2 && bytes == 1) {
            long first = body + 12;
            String no = file.textTo(first, end);
            long second = first + (version < 3 ? no.length() + 8 & -8 : no.length() + 1);
            String yes = file.textTo(second, end);
            long values = second + (version < 3 ? yes.length() + 8 & -8 : yes.length() + 1);
            boolean isBool = no.toUpperCase(Locale.ROOT).equals("FALSE")
                    && yes.toUpperCase(Locale.ROOT).equals("TRUE");
            if (isBool && file.u8(values) == 0 && file.u8(values + 1) == 1) {
                return new Datatype.Number(DType.BOOL, false);
            }
        }
        return number;
    }

    private Datatype variable(long body, int bits, long bytes, int depth) {
        if (bytes != 8L + file.offsetBytes()) {
            throw file.corrupt(
                    body, "a variable-length type should have " + (8 + file.offsetBytes()) + " bytes but has " + bytes);
        }
        return switch (bits & 15) {
            case 0 -> new Datatype.Sequence(bytes, type(body, depth + 1));
            case 1 -> new Datatype.HeapText(bytes);
            default -> new Datatype.Other(bytes, "variable-length of kind " + (bits & 15));
        };
    }

    private Datatype array(long body, int version, long bytes, int depth) {
        int rank = file.u8(body);
        if (rank == 0 || rank > MAX_RANK) {
            throw file.corrupt(body, "an array type should have 1 to " + MAX_RANK + " dimensions, not " + rank);
        }
        long dimensions = body + (version < 3 ? 4 : 1);
        var shape = new ArrayList<Long>();
        for (int d = 0; d < rank; d++) {
            shape.add(file.u32(dimensions + 4L * d));
        }
        long element = dimensions + 4L * rank * (version < 3 ? 2 : 1);
        var type = new Datatype.Tensor(type(element, depth + 1), shape);
        return type.bytes() == bytes ? type : new Datatype.Other(bytes, "array with gaps");
    }
}
