package dev.stoker.sample;

import dev.stoker.StokerException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses the header of a {@code .npy} file: a Python dict of exactly three entries, in any order. */
final class NpyParser {
    static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Only structured types, which are refused anyway, need more. */
    private static final int MAX_TEXT_BYTES = 0xFFFF;

    private final MemorySegment head;
    private final String file;
    private String text = "";
    private int textOffset;
    private int at;

    private @Nullable String descr;
    private @Nullable Boolean fortranOrder;
    private long @Nullable [] shape;

    NpyParser(MemorySegment head, String file) {
        this.head = head;
        this.file = file;
    }

    Npy parse() {
        readText();
        parseDict();
        if (descr == null || fortranOrder == null || shape == null) {
            throw error("the entries 'descr', 'fortran_order' and 'shape'", "only some of them");
        }
        DType dtype = dtype(descr);
        try {
            int dataOffset = textOffset + text.length();
            var npy = new Npy(dtype, descr.startsWith(">") && dtype.bytes() > 1, fortranOrder, shape, dataOffset);
            Math.addExact(npy.dataLength(), dataOffset);
            return npy;
        } catch (ArithmeticException e) {
            throw error("an array of less than 2^63 bytes", "a larger shape");
        }
    }

    private void readText() {
        if (!Npy.hasMagic(head)) {
            throw new StokerException(
                    file, "byte 0: expected the 6 bytes 93 'NUMPY' but found others; " + "it is not a .npy file");
        }
        requireBytes(8);
        int major = head.get(ValueLayout.JAVA_BYTE, 6);
        int minor = head.get(ValueLayout.JAVA_BYTE, 7);
        if (major < 1 || major > 3 || minor != 0) {
            throw new StokerException(
                    file,
                    "byte 6: expected version 1.0, 2.0 or 3.0 of .npy but found " + (major & 0xFF) + "."
                            + (minor & 0xFF));
        }
        textOffset = major == 1 ? 10 : 12;
        requireBytes(textOffset);
        long length = major == 1 ? Short.toUnsignedLong(head.get(U16, 8)) : Integer.toUnsignedLong(head.get(U32, 8));
        if (length > MAX_TEXT_BYTES) {
            throw new StokerException(
                    file,
                    "byte 8: expected a header of at most " + MAX_TEXT_BYTES + " bytes but found one of " + length);
        }
        requireBytes(textOffset + length);
        // One character per byte, so that the place in the text is the place in the file.
        text = new String(head.asSlice(textOffset, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
    }

    private void requireBytes(long needed) {
        if (head.byteSize() < needed) {
            throw new StokerException(
                    file,
                    "byte " + head.byteSize() + ": expected a .npy header of at least " + needed
                            + " bytes but found the end; the file is truncated");
        }
    }

    private void parseDict() {
        expect('{');
        while (peek() != '}') {
            parseEntry();
            if (peek() != '}') {
                expect(',');
            }
        }
        expect('}');
        if (peek() >= 0) {
            throw error("the end of the header", found());
        }
    }

    private void parseEntry() {
        peek();
        int start = at;
        String key = quoted("the name of an entry in quotes");
        expect(':');
        boolean isNew;
        switch (key) {
            case "descr" -> {
                isNew = descr == null;
                descr = parseDescr();
            }
            case "fortran_order" -> {
                isNew = fortranOrder == null;
                fortranOrder = parseBoolean();
            }
            case "shape" -> {
                isNew = shape == null;
                shape = parseShape();
            }
            default -> isNew = false;
        }
        if (!isNew) {
            at = start;
            throw error("the entries 'descr', 'fortran_order' and 'shape', once each", "'" + key + "'");
        }
    }

    private String parseDescr() {
        if (peek() == '[') {
            throw new Npy.TypeException(
                    file,
                    ".npy header, byte " + (textOffset + at) + ": expected the type of a number such as '<f4' but found"
                            + " a structured type; store each field as an array");
        }
        return quoted("the type of a number in quotes");
    }

    private boolean parseBoolean() {
        peek();
        for (String word : List.of("True", "False")) {
            if (text.startsWith(word, at)) {
                at += word.length();
                return word.equals("True");
            }
        }
        throw error("True or False", found());
    }

    private long[] parseShape() {
        expect('(');
        var lengths = new ArrayList<Long>();
        boolean comma = true;
        while (peek() != ')') {
            if (!comma) {
                throw error("',' or ')'", found());
            }
            if (lengths.size() == Npy.MAX_DIMENSIONS) {
                throw error("at most " + Npy.MAX_DIMENSIONS + " dimensions", "more");
            }
            lengths.add(parseLength());
            comma = peek() == ',';
            if (comma) {
                at++;
            }
        }
        // In Python (3) is a number, and only (3,) a tuple.
        if (lengths.size() == 1 && !comma) {
            throw error("',' after the only dimension", found());
        }
        expect(')');
        return lengths.stream().mapToLong(Long::longValue).toArray();
    }

    private long parseLength() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        String digits = text.substring(start, at);
        if (digits.isEmpty()) {
            throw error("the length of a dimension", found());
        }
        // Python 2 wrote long integers as 3L.
        if (at < text.length() && text.charAt(at) == 'L') {
            at++;
        }
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            at = start;
            throw error("the length of a dimension below 2^63", "a larger one");
        }
    }

    private DType dtype(String name) {
        String kind = name.substring(Math.min(1, name.length()));
        boolean ordered = name.startsWith("<") || name.startsWith(">");
        DType dtype = switch (kind) {
            case "b1" -> DType.BOOL;
            case "i1" -> DType.INT8;
            case "i2" -> DType.INT16;
            case "i4" -> DType.INT32;
            case "i8" -> DType.INT64;
            case "u1" -> DType.UINT8;
            case "u2" -> DType.UINT16;
            case "u4" -> DType.UINT32;
            case "u8" -> DType.UINT64;
            case "f2" -> DType.FLOAT16;
            case "f4" -> DType.FLOAT32;
            case "f8" -> DType.FLOAT64;
            default -> null;
        };
        if (dtype == null || !(ordered || name.startsWith("|") && dtype.bytes() == 1)) {
            throw new Npy.TypeException(
                    file,
                    ".npy header: expected the type of a number such as '<f4' or '|u1'" + " but found '" + name + "'"
                            + meaning(kind));
        }
        return dtype;
    }

    private static String meaning(String kind) {
        return switch (kind.isEmpty() ? ' ' : kind.charAt(0)) {
            case 'O' -> ", Python objects; they are pickled and cannot be read without running code";
            case 'U' -> ", fixed-width text";
            case 'S', 'a' -> ", fixed-width bytes";
            case 'V' -> ", a structured or raw type";
            case 'c' -> ", complex numbers; store real and imaginary parts as two arrays";
            case 'M', 'm' -> ", dates or durations; store them as int64";
            default -> "";
        };
    }

    private String quoted(String expected) {
        int quote = peek();
        if (quote != '\'' && quote != '"') {
            throw error(expected, found());
        }
        int end = text.indexOf(quote, at + 1);
        String value = end < 0 ? "" : text.substring(at + 1, end);
        // No type or entry needs a longer name, an escape, or anything but ASCII.
        if (end < 0 || value.length() > 64 || value.chars().anyMatch(c -> c < ' ' || c > '~' || c == '\\')) {
            throw error(expected, "something else in quotes");
        }
        at = end + 1;
        return value;
    }

    private void expect(char c) {
        if (peek() != c) {
            throw error("'" + c + "'", found());
        }
        at++;
    }

    /** The next character that is no blank, or -1 at the end. */
    private int peek() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\n')) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : -1;
    }

    private String found() {
        if (at >= text.length()) {
            return "the end of the header";
        }
        char c = text.charAt(at);
        return c > ' ' && c <= '~' ? "'" + c + "'" : String.format("byte 0x%02X", (int) c);
    }

    private StokerException error(String expected, String found) {
        return new StokerException(
                file, ".npy header, byte " + (textOffset + at) + ": expected " + expected + " but found " + found);
    }
}
