package dev.stoker.formats.parquet.read;

import dev.stoker.formats.parquet.schema.Encoding;
import dev.stoker.formats.parquet.schema.PageLocation;
import dev.stoker.formats.parquet.schema.PhysicalType;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Finds the values in the decompressed bytes of a page, whatever their encoding. */
final class PageDecoder {
    private final Leaf leaf;
    private final ParquetLimits limits;
    private final PageLocation place;

    PageDecoder(Leaf leaf, ParquetLimits limits, PageLocation place) {
        this.leaf = leaf;
        this.limits = limits;
        this.place = place;
    }

    Dictionary dictionary(ByteSpan data, int size) {
        long most = data.length() / (leaf.physical() == PhysicalType.BYTE_ARRAY ? 4 : Math.max(1, leaf.width()));
        return new Dictionary(data, plain(data), size, most, place);
    }

    /**
     * The values of a data page.
     *
     * @param count how many there are at most
     */
    ValueDecoder values(int number, ByteSpan data, int count, @Nullable Dictionary dictionary) {
        Encoding encoding = Encoding.of(number);
        if (encoding == null) {
            throw place.unsupported("has a page of encoding " + number + ", which Stoker does not know");
        }
        if (data.length() == 0) {
            // All are null, or the page is cut off, which the first value will tell.
            return new ValueDecoder.Fixed(data, 1, place);
        }
        return switch (encoding) {
            case PLAIN -> plain(data);
            case PLAIN_DICTIONARY, RLE_DICTIONARY -> looked(data, dictionary);
            case RLE -> runs(data);
            case DELTA_BINARY_PACKED -> deltas(data, count);
            case DELTA_LENGTH_BYTE_ARRAY -> lengthed(data, count);
            case DELTA_BYTE_ARRAY -> prefixed(data, count);
            case BYTE_STREAM_SPLIT -> split(data);
            case BIT_PACKED -> throw refused(encoding);
        };
    }

    private RuntimeException refused(Encoding encoding) {
        return place.unsupported(
                "has a page of encoding " + encoding + ", which is not allowed for " + leaf.physical());
    }

    private ValueDecoder plain(ByteSpan data) {
        return switch (leaf.physical()) {
            case BOOLEAN -> new ValueDecoder.Bools(RleBitPackingHybridDecoder.ofPacked(data, 1, place));
            case BYTE_ARRAY -> new ValueDecoder.Prefixed(data, place);
            default -> new ValueDecoder.Fixed(data, leaf.width(), place);
        };
    }

    private ValueDecoder looked(ByteSpan data, @Nullable Dictionary dictionary) {
        if (dictionary == null) {
            throw place.corrupt("a page refers to a missing dictionary");
        }
        int width = data.segment().get(ValueLayout.JAVA_BYTE, data.from()) & 0xff;
        return new ValueDecoder.Looked(dictionary, new RleBitPackingHybridDecoder(data.after(1), width, place), place);
    }

    private ValueDecoder runs(ByteSpan data) {
        if (leaf.physical() != PhysicalType.BOOLEAN) {
            throw refused(Encoding.RLE);
        }
        long length =
                data.length() < 4 ? -1 : Integer.toUnsignedLong(data.segment().get(LittleEndian.U32, data.from()));
        if (length < 0 || length > data.length() - 4) {
            throw place.corrupt("a page of " + data.length() + " bytes has runs of " + length);
        }
        return new ValueDecoder.Bools(
                new RleBitPackingHybridDecoder(data.after(4).first(length), 1, place));
    }

    private ValueDecoder deltas(ByteSpan data, int count) {
        boolean isWide = leaf.physical() == PhysicalType.INT64;
        if (!isWide && leaf.physical() != PhysicalType.INT32) {
            throw refused(Encoding.DELTA_BINARY_PACKED);
        }
        long[] numbers = new DeltaBinaryPackedDecoder(data, count, place).numbers();
        MemorySegment decoded = allocate((long) numbers.length * leaf.width());
        for (int i = 0; i < numbers.length; i++) {
            if (isWide) {
                decoded.set(LittleEndian.U64, 8L * i, numbers[i]);
            } else {
                decoded.set(LittleEndian.U32, 4L * i, (int) numbers[i]);
            }
        }
        return new ValueDecoder.Fixed(nowhere(decoded), leaf.width(), place);
    }

    private ValueDecoder lengthed(ByteSpan data, int count) {
        if (leaf.physical() != PhysicalType.BYTE_ARRAY) {
            throw refused(Encoding.DELTA_LENGTH_BYTE_ARRAY);
        }
        var deltas = new DeltaBinaryPackedDecoder(data, count, place);
        return new ValueDecoder.Lengthed(data.after(deltas.position() - data.from()), deltas.lengths(), place);
    }

    /** Each value begins with a piece of the one before it. */
    private ValueDecoder prefixed(ByteSpan data, int count) {
        if (leaf.physical() != PhysicalType.BYTE_ARRAY && leaf.physical() != PhysicalType.FIXED_LEN_BYTE_ARRAY) {
            throw refused(Encoding.DELTA_BYTE_ARRAY);
        }
        var first = new DeltaBinaryPackedDecoder(data, count, place);
        int[] shared = first.lengths();
        ByteSpan rest = data.after(first.position() - data.from());
        var second = new DeltaBinaryPackedDecoder(rest, count, place);
        int[] own = second.lengths();
        if (own.length != shared.length) {
            throw place.corrupt("a page has " + shared.length + " prefixes but " + own.length + " suffixes");
        }
        return new ValueDecoder.Lengthed(
                nowhere(joined(rest.after(second.position() - rest.from()), shared, own)), sums(shared, own), place);
    }

    private int[] sums(int[] shared, int[] own) {
        var lengths = new int[own.length];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = Math.addExact(shared[i], own[i]);
            if (leaf.physical() == PhysicalType.FIXED_LEN_BYTE_ARRAY && lengths[i] != leaf.width()) {
                throw place.corrupt("a value should have " + leaf.width() + " bytes but has " + lengths[i]);
            }
        }
        return lengths;
    }

    private MemorySegment joined(ByteSpan suffixes, int[] shared, int[] own) {
        long total = 0;
        for (int i = 0; i < own.length; i++) {
            total += (long) shared[i] + own[i];
        }
        limits.requireRoom(total, place);
        MemorySegment joined = allocate(total);
        long at = 0;
        long before = 0;
        long from = suffixes.from();
        for (int i = 0; i < own.length; i++) {
            if (shared[i] > at - before || own[i] > suffixes.end() - from) {
                throw place.corrupt("a value shares more with the one before it than that has, or is cut off");
            }
            MemorySegment.copy(joined, before, joined, at, shared[i]);
            MemorySegment.copy(suffixes.segment(), from, joined, at + shared[i], own[i]);
            from += own[i];
            before = at;
            at += shared[i] + own[i];
        }
        return joined;
    }

    /** The first bytes of all values, then their second bytes, and so on. */
    private ValueDecoder split(ByteSpan data) {
        if (leaf.width() <= 0 || leaf.physical() == PhysicalType.INT96 || data.length() % leaf.width() != 0) {
            throw refused(Encoding.BYTE_STREAM_SPLIT);
        }
        limits.work(data.length(), place);
        MemorySegment decoded = allocate(data.length());
        long count = data.length() / leaf.width();
        for (int b = 0; b < leaf.width(); b++) {
            for (long i = 0; i < count; i++) {
                byte one = data.segment().get(ValueLayout.JAVA_BYTE, data.from() + b * count + i);
                decoded.set(ValueLayout.JAVA_BYTE, i * leaf.width() + b, one);
            }
        }
        return new ValueDecoder.Fixed(nowhere(decoded), leaf.width(), place);
    }

    private MemorySegment allocate(long bytes) {
        if (bytes > Integer.MAX_VALUE - 8) {
            throw place.unsupported("has a page that decodes to " + bytes + " bytes, more than Stoker takes at once");
        }
        return MemorySegment.ofArray(new byte[(int) bytes]);
    }

    private static ByteSpan nowhere(MemorySegment decoded) {
        return new ByteSpan(decoded, 0, decoded.byteSize(), ByteSpan.NOWHERE);
    }
}
