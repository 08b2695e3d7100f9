package dev.stoker.index;

import dev.stoker.block.CodecPipeline;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import dev.stoker.sample.TextList;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;

/** Three samples with a field of every kind in every place that a container of one file has, and their Index. */
final class Indexed {
    static final int SAMPLES = 3;
    static final int KEY = 0;
    static final int LABEL = 1;
    static final int TAGS = 2;
    static final int DATA = 3;
    static final int POINT = 4;
    static final int MASK = 5;
    static final int RAW = 6;
    static final int PIXEL = 7;

    static final Schema SCHEMA = new Schema(
            List.of(
                    new Field(Field.KEY, new FieldType.Text()),
                    new Field("label", new FieldType.Scalar(DType.INT64)),
                    new Field("tags", new FieldType.Texts()),
                    new Field(Field.DATA, new FieldType.Bytes()),
                    new Field("point", new FieldType.Tensor(DType.FLOAT32, List.of(2L))),
                    new Field("mask", new FieldType.Array(DType.UINT8, 2)),
                    new Field("raw", new FieldType.Bytes()),
                    new Field("pixel", new FieldType.Scalar(DType.INT32))),
            List.of("cat", "dog"));

    /** The points begin after the padding, so that a column that forgets its base reads something else. */
    private static final int POINTS_AT = 16;

    private final ByteArrayOutputStream container = new ByteArrayOutputStream();
    private final List<long[]> data = new ArrayList<>();
    private final List<long[]> masks = new ArrayList<>();
    private final long plainBlock;
    private final long packedBlock;
    private final int packedBytes;

    private Indexed() {
        container.writeBytes(new byte[POINTS_AT]);
        for (int i = 0; i < SAMPLES; i++) {
            container.writeBytes(point(i));
        }
        for (int i = 0; i < SAMPLES; i++) {
            data.add(put(data(i)));
            masks.add(put(mask(i)));
        }
        plainBlock = container.size();
        for (int i = 0; i < SAMPLES; i++) {
            container.writeBytes(raw(i));
        }
        packedBlock = container.size();
        byte[] packed = deflate(pixels());
        packedBytes = packed.length;
        container.writeBytes(packed);
    }

    static MemorySegment container() {
        return MemorySegment.ofArray(new Indexed().container.toByteArray());
    }

    static ContainerIdentity identity() {
        return ContainerIdentity.of(
                container().byteSize(), (offset, to) -> MemorySegment.copy(container(), offset, to, 0, to.byteSize()));
    }

    /** Writes the Index, with checksums of all values. */
    static Path write(Path path) {
        try (IndexBuilder builder = builder()) {
            builder.packed();
            builder.toFile(path, false, "plain", container(), identity(), null);
            return path;
        }
    }

    /** All samples given; the caller closes it. */
    static IndexBuilder builder() {
        return new Indexed()
                .fill(new IndexBuilder(
                        SCHEMA,
                        List.of(
                                Placement.indexed(false),
                                Placement.indexed(true),
                                Placement.indexed(false),
                                Placement.stored(),
                                Placement.storedFrom(POINTS_AT),
                                Placement.stored(),
                                Placement.blocks(),
                                Placement.blocksFrom(rawBytes()))));
    }

    private IndexBuilder fill(IndexBuilder builder) {
        builder.blocks().add(0, plainBlock, rawBytes(), rawBytes(), CodecPipeline.NONE);
        builder.blocks().add(0, packedBlock, packedBytes, 4L * SAMPLES, CodecPipeline.of("zlib"));
        long raw = 0;
        for (int i = 0; i < SAMPLES; i++) {
            builder.value(KEY, text(key(i)));
            builder.value(LABEL, number(label(i)));
            builder.value(TAGS, MemorySegment.ofArray(TextList.encode(tags(i))));
            builder.stored(DATA, data.get(i)[0], data.get(i)[1]);
            builder.stored(MASK, masks.get(i)[0], masks.get(i)[1]);
            builder.shape(MASK, i, 2);
            builder.stored(RAW, raw, raw(i).length);
            raw += raw(i).length;
        }
        builder.storedDense(POINT, SAMPLES);
        builder.storedDense(PIXEL, SAMPLES);
        builder.splits(List.of(new Split("train", 0, 2), new Split("test", 2, 1)));
        return builder;
    }

    private long[] put(byte[] value) {
        long at = container.size();
        container.writeBytes(value);
        return new long[] {at, value.length};
    }

    static String key(int i) {
        return List.of("a", "folder/ünïcödé", "").get(i);
    }

    static long label(int i) {
        return new long[] {0, -1, Long.MIN_VALUE}[i];
    }

    static List<String> tags(int i) {
        return List.of("red", "", "blue").subList(0, i);
    }

    static byte[] data(int i) {
        return List.of("some bytes", "", "x").get(i).getBytes(StandardCharsets.UTF_8);
    }

    static byte[] point(int i) {
        return ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putFloat(i)
                .putFloat(-i)
                .array();
    }

    static byte[] mask(int i) {
        return Arrays.copyOf(new byte[] {1, 2, 3, 4}, 2 * i);
    }

    static byte[] raw(int i) {
        return ("raw" + "!".repeat(i)).getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] pixels() {
        var pixels = ByteBuffer.allocate(4 * SAMPLES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < SAMPLES; i++) {
            pixels.putInt(1000 + i);
        }
        return pixels.array();
    }

    private static long rawBytes() {
        return (long) raw(0).length + raw(1).length + raw(2).length;
    }

    private static MemorySegment text(String value) {
        return MemorySegment.ofArray(value.getBytes(StandardCharsets.UTF_8));
    }

    private static MemorySegment number(long value) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[8]);
        bytes.set(LittleEndian.U64, 0, value);
        return bytes;
    }

    private static byte[] deflate(byte[] plain) {
        try (var deflater = new Deflater()) {
            deflater.setInput(plain);
            deflater.finish();
            var out = new byte[plain.length + 100];
            return Arrays.copyOf(out, deflater.deflate(out));
        }
    }
}
