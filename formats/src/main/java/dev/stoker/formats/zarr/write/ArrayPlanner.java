package dev.stoker.formats.zarr.write;

import dev.stoker.formats.shared.array.Area;
import dev.stoker.formats.shared.array.DenseArea;
import dev.stoker.formats.shared.array.DiskNames;
import dev.stoker.formats.shared.array.FixedArea;
import dev.stoker.formats.shared.array.IndexedFields;
import dev.stoker.formats.shared.array.OffsetsArea;
import dev.stoker.formats.shared.array.Part;
import dev.stoker.formats.shared.array.ShapesArea;
import dev.stoker.formats.zarr.layout.SampleTexts;
import dev.stoker.formats.zarr.layout.Shard;
import dev.stoker.sample.DType;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Chooses the arrays that hold a field. */
final class ArrayPlanner {
    private final Samples samples;
    private final DiskNames names;

    ArrayPlanner(Samples samples, DiskNames names) {
        this.samples = samples;
        this.names = names;
    }

    /** The arrays of one field in one group; the first has the values. */
    List<PlannedArray> arrays(int field, Part part) {
        boolean stored = !IndexedFields.has(samples.schema().fields().get(field));
        return switch (samples.schema().type(field)) {
            case FieldType.Scalar scalar ->
                List.of(rows(
                        names.values(field),
                        scalar.dtype(),
                        new long[] {part.count()},
                        fixed(field, part, scalar.width(), stored)));
            case FieldType.Tensor tensor ->
                List.of(rows(
                        names.values(field),
                        tensor.dtype(),
                        dimensions(part.count(), tensor.shape()),
                        fixed(field, part, tensor.width(), stored)));
            case FieldType.Text ignored ->
                List.of(texts(field, new TextArea(samples, () -> new SampleTexts.One(samples, field), part, stored)));
            case FieldType.Texts ignored -> lists(field, part);
            case FieldType.Bytes ignored -> csr(field, part, DType.UINT8, 1);
            case FieldType.Array array -> csr(field, part, array.dtype(), array.rank());
        };
    }

    private static long[] dimensions(long rows, List<Long> shape) {
        long[] dimensions = new long[1 + shape.size()];
        dimensions[0] = rows;
        for (int d = 0; d < shape.size(); d++) {
            dimensions[d + 1] = shape.get(d);
        }
        return dimensions;
    }

    private static Area fixed(int field, Part part, long width, boolean stored) {
        return new FixedArea(field, part, width, stored, false);
    }

    /** An array whose inner chunks are whole rows. */
    private static PlannedArray rows(String name, DType dtype, long[] shape, Area values) {
        long[] chunk = shape.clone();
        long width = dtype.bytes();
        for (int d = 1; d < shape.length; d++) {
            width = Math.multiplyExact(width, shape[d]);
            // A chunk has no dimension of 0, also where the array has.
            chunk[d] = Math.max(1, shape[d]);
        }
        long rows = shape[0];
        long usual = width == 0 ? 1 : Shard.chunkBytes(Math.multiplyExact(rows, width)) / width;
        chunk[0] = Math.clamp(usual, 1, Math.max(1, rows));
        int chunks = Math.toIntExact(Math.ceilDiv(rows, chunk[0]));
        long[] shards = chunk.clone();
        shards[0] = chunk[0] * Math.max(1, chunks);
        boolean isEmpty = rows == 0 || width == 0;
        Shard shard = isEmpty ? null : new Shard(values, Shard.Chunks.even(chunks, chunk[0] * width));
        return new PlannedArray(name, dtype.label(), shape, chunk, shards, values, shard);
    }

    private PlannedArray texts(int field, TextArea texts) {
        long[] chunk = {texts.perChunk()};
        long[] shards = {(long) texts.perChunk() * Math.max(1, texts.count())};
        Shard shard = texts.elements() == 0 ? null : new Shard(texts, texts);
        long[] shape = {texts.elements()};
        return new PlannedArray(names.values(field), PlannedArray.TEXT, shape, chunk, shards, texts, shard);
    }

    private List<PlannedArray> lists(int field, Part part) {
        Supplier<SampleTexts> source = () -> new SampleTexts.Listed(samples, field);
        SampleTexts counted = source.get();
        var offsets = new OffsetsArea(part, counted::count);
        return List.of(
                texts(field, new TextArea(samples, source, part, false)),
                rows(names.offsets(field), DType.INT64, new long[] {part.count() + 1}, offsets));
    }

    private List<PlannedArray> csr(int field, Part part, DType dtype, int rank) {
        var arrays = new ArrayList<PlannedArray>();
        var offsets = new OffsetsArea(part, i -> samples.length(i, field) / dtype.bytes());
        long bytes = Math.multiplyExact(offsets.total(), dtype.bytes());
        arrays.add(rows(
                names.values(field), dtype, new long[] {offsets.total()}, new DenseArea(samples, field, part, bytes)));
        arrays.add(rows(names.offsets(field), DType.INT64, new long[] {part.count() + 1}, offsets));
        if (rank > 1) {
            long[] shape = {part.count(), rank};
            arrays.add(rows(names.shapes(field), DType.INT64, shape, new ShapesArea(samples, field, part, rank)));
        }
        return arrays;
    }
}
