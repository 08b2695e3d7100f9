package dev.stoker.sample;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The value of a field of type {@link FieldType.Texts}: {@code u32 n}, then {@code u32 end} of each text, counted from
 * the first text's first byte, then the texts as UTF-8 without gaps; all little-endian.
 */
@PublicApi
public final class TextList {
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private TextList() {}

    public static byte[] encode(List<String> texts) {
        var parts = new ArrayList<byte[]>();
        long total = 4L + 4L * texts.size();
        for (String text : texts) {
            byte[] part = text.getBytes(StandardCharsets.UTF_8);
            parts.add(part);
            total += part.length;
        }
        var value = ByteBuffer.allocate(Math.toIntExact(total)).order(ByteOrder.LITTLE_ENDIAN);
        value.putInt(parts.size());
        int end = 0;
        for (byte[] part : parts) {
            end += part.length;
            value.putInt(end);
        }
        parts.forEach(value::put);
        return value.array();
    }

    public static List<String> decode(MemorySegment value) {
        return parts(value).stream()
                .map(text -> new String(text.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8))
                .toList();
    }

    /** The UTF-8 of each text; slices of the value. */
    public static List<MemorySegment> parts(MemorySegment value) {
        long size = value.byteSize();
        long count = size < 4 ? -1 : Integer.toUnsignedLong(value.get(U32, 0));
        if (count < 0 || count > (size - 4) / 4) {
            throw new StokerException("a list of texts of " + size + " bytes cannot hold " + count + " texts");
        }
        var texts = new ArrayList<MemorySegment>();
        long base = 4 + 4 * count;
        long start = 0;
        for (long i = 0; i < count; i++) {
            long end = Integer.toUnsignedLong(value.get(U32, 4 + 4 * i));
            if (end < start || end > size - base) {
                throw new StokerException("text " + i + " of a list of " + count + " should end between " + start
                        + " and " + (size - base) + " but ends at " + end);
            }
            texts.add(value.asSlice(base + start, end - start));
            start = end;
        }
        return texts;
    }
}
