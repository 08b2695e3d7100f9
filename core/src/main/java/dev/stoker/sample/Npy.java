package dev.stoker.sample;

import dev.stoker.StokerException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The header of NumPy's {@code .npy} file of one array, versions 1, 2 and 3:
 *
 * <pre>
 * 6 bytes   93 'NUMPY'
 * 2 bytes   version: major, minor (0)
 * 2 bytes   length of the text, little-endian (4 bytes from version 2 on)
 * text      {'descr': '&lt;f4', 'fortran_order': False, 'shape': (3, 4), }, blanks, a line feed
 * </pre>
 *
 * The elements follow at {@code dataOffset}. Arrays of anything but numbers and booleans are refused.
 *
 * @param bigEndian whether elements of several bytes are stored with the most significant first
 * @param fortranOrder whether the first index varies fastest, not the last
 * @param shape the length of each dimension; none for a single number
 */
public record Npy(DType dtype, boolean bigEndian, boolean fortranOrder, long[] shape, int dataOffset) {
    /** NumPy's own limit. */
    public static final int MAX_DIMENSIONS = 64;

    /** Says that an array is in order, but holds something else than numbers. */
    @SuppressWarnings("serial")
    public static final class TypeException extends StokerException {
        TypeException(String file, String reason) {
            super(file, reason);
        }
    }

    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int ALIGNMENT = 64;

    /** NumPy leaves room to write a longer first dimension in place, up to this many digits. */
    private static final int GROWTH_DIGITS = 21;

    public Npy {
        shape = shape.clone();
        dataLength(dtype, shape);
    }

    @Override
    public long[] shape() {
        return shape.clone();
    }

    /** Parses the header at the beginning of a file; {@code file} is its name in error messages. */
    public static Npy parse(byte[] head, String file) {
        return parse(MemorySegment.ofArray(head), file);
    }

    /** Parses the header at the beginning of a segment, which may end anywhere behind the header. */
    public static Npy parse(MemorySegment head, String file) {
        return new NpyParser(head, file).parse();
    }

    /** The number of elements. */
    public long elements() {
        return dataLength(dtype, shape) / dtype.bytes();
    }

    /** The exact length of the elements in bytes. */
    public long dataLength() {
        return dataLength(dtype, shape);
    }

    /** The exact length of the file: header and elements. */
    public long fileLength() {
        return Math.addExact(dataOffset, dataLength());
    }

    /**
     * The length in bytes of an array.
     *
     * @throws ArithmeticException if it does not fit a long
     */
    static long dataLength(DType dtype, long[] shape) {
        if (shape.length > MAX_DIMENSIONS || Arrays.stream(shape).anyMatch(length -> length < 0)) {
            throw new IllegalArgumentException("shape should be at most " + MAX_DIMENSIONS
                    + " lengths, none negative, but is " + Arrays.toString(shape));
        }
        // An empty array is empty, however large the product of its other dimensions.
        if (Arrays.stream(shape).anyMatch(length -> length == 0)) {
            return 0;
        }
        return Arrays.stream(shape).reduce(dtype.bytes(), Math::multiplyExact);
    }

    /**
     * The header that {@code numpy.save} writes, byte for byte, for an array in row-major order with little-endian
     * elements.
     */
    public static byte[] header(DType dtype, long... shape) {
        dataLength(dtype, shape);
        String lengths = LongStream.of(shape).mapToObj(Long::toString).collect(Collectors.joining(", "));
        var text = new StringBuilder("{'descr': '" + descr(dtype) + "', 'fortran_order': False, 'shape': (");
        text.append(lengths).append(shape.length == 1 ? ",), }" : "), }");
        if (shape.length > 0) {
            text.repeat(' ', GROWTH_DIGITS - Long.toString(shape[0]).length());
        }
        int before = MAGIC.length + 4;
        text.repeat(' ', ALIGNMENT - (before + text.length() + 1) % ALIGNMENT).append('\n');

        byte[] header = Arrays.copyOf(MAGIC, before + text.length());
        header[MAGIC.length] = 1;
        MemorySegment.ofArray(header).set(NpyParser.U16, MAGIC.length + 2, (short) text.length());
        System.arraycopy(text.toString().getBytes(StandardCharsets.US_ASCII), 0, header, before, text.length());
        return header;
    }

    static boolean hasMagic(MemorySegment head) {
        return head.byteSize() >= MAGIC.length
                && Arrays.equals(head.asSlice(0, MAGIC.length).toArray(ValueLayout.JAVA_BYTE), MAGIC);
    }

    private static String descr(DType dtype) {
        String order = dtype.bytes() == 1 ? "|" : "<";
        String kind = dtype == DType.BOOL ? "b" : dtype.isFloat() ? "f" : dtype.isUnsigned() ? "u" : "i";
        return order + kind + dtype.bytes();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Npy npy
                && dtype == npy.dtype
                && bigEndian == npy.bigEndian
                && fortranOrder == npy.fortranOrder
                && Arrays.equals(shape, npy.shape)
                && dataOffset == npy.dataOffset;
    }

    @Override
    public int hashCode() {
        return Objects.hash(dtype, bigEndian, fortranOrder, Arrays.hashCode(shape), dataOffset);
    }
}
