package dev.stoker.formats.hdf5.write;

import dev.stoker.StokerException;
import dev.stoker.formats.hdf5.Hdf5Format;
import dev.stoker.formats.hdf5.structure.TypeMessages;
import dev.stoker.formats.hdf5.structure.VlenLayout;
import dev.stoker.formats.shared.array.Area;
import dev.stoker.formats.shared.array.DenseArea;
import dev.stoker.formats.shared.array.DiskNames;
import dev.stoker.formats.shared.array.FixedArea;
import dev.stoker.formats.shared.array.IndexedFields;
import dev.stoker.formats.shared.array.OffsetsArea;
import dev.stoker.formats.shared.array.Part;
import dev.stoker.formats.shared.array.ShapesArea;
import dev.stoker.sample.DType;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Chooses the datasets that hold a field. */
final class DatasetPlanner {
    private final Samples samples;
    private final VlenLayout layout;
    private final DiskNames names;
    private final List<Area> heaps = new ArrayList<>();

    DatasetPlanner(Samples samples, VlenLayout layout, DiskNames names) {
        this.samples = samples;
        this.layout = layout;
        this.names = names;
    }

    /** The heaps that the datasets planned so far refer to. */
    List<Area> heaps() {
        return heaps;
    }

    /** The datasets of one field in one group; those of a field are asked for group after group. */
    List<PlannedDataset> datasets(int field, Part part, boolean follows) {
        boolean stored = !IndexedFields.has(samples.schema().fields().get(field));
        FieldType type = samples.schema().type(field);
        return switch (type) {
            case FieldType.Scalar scalar ->
                List.of(fixed(field, part, scalar.dtype(), List.of(), scalar.width(), stored, follows));
            case FieldType.Tensor tensor ->
                List.of(fixed(field, part, tensor.dtype(), tensor.shape(), tensor.width(), stored, follows));
            case FieldType.Text ignored ->
                List.of(heap(field, part, TypeMessages.text(), new ValueObjects(samples, field, 1), stored));
            case FieldType.Texts ignored ->
                List.of(heap(
                        field,
                        part,
                        TypeMessages.sequence(TypeMessages.text()),
                        new TextsObjects(samples, field),
                        stored));
            case FieldType.Bytes ignored -> variable(field, part, DType.UINT8, 1, follows);
            case FieldType.Array array -> variable(field, part, array.dtype(), array.rank(), follows);
        };
    }

    private PlannedDataset fixed(
            int field, Part part, DType dtype, List<Long> shape, long width, boolean stored, boolean follows) {
        long[] dimensions = new long[1 + shape.size()];
        dimensions[0] = part.count();
        for (int d = 0; d < shape.size(); d++) {
            dimensions[d + 1] = shape.get(d);
        }
        var area = new FixedArea(field, part, width, stored, follows);
        return new PlannedDataset(names.values(field), TypeMessages.number(dtype), dimensions, area);
    }

    private PlannedDataset heap(int field, Part part, byte[] type, HeapObjects objects, boolean stored) {
        var heap = new HeapArea(objects, part, stored);
        heaps.add(heap);
        return new PlannedDataset(names.values(field), type, new long[] {part.count()}, heap.references());
    }

    private List<PlannedDataset> variable(int field, Part part, DType dtype, int rank, boolean follows) {
        var datasets = new ArrayList<PlannedDataset>();
        switch (layout) {
            case VLEN -> {
                byte[] type = TypeMessages.sequence(TypeMessages.number(dtype));
                datasets.add(heap(field, part, type, new ValueObjects(samples, field, dtype.bytes()), true));
            }
            case CSR -> datasets.addAll(csr(field, part, dtype));
            case FIXED -> {
                List<Long> shape = onlyShape(field, rank);
                long width = samples.count() == 0 ? 0 : samples.length(0, field);
                return List.of(fixed(field, part, dtype, shape, width, true, follows));
            }
        }
        if (rank > 1) {
            long[] dimensions = {part.count(), rank};
            var shapes = new ShapesArea(samples, field, part, rank);
            datasets.add(new PlannedDataset(names.shapes(field), TypeMessages.number(DType.INT64), dimensions, shapes));
        }
        return datasets;
    }

    private List<PlannedDataset> csr(int field, Part part, DType dtype) {
        var offsets = new OffsetsArea(part, i -> samples.length(i, field) / dtype.bytes());
        var values = new DenseArea(samples, field, part, Math.multiplyExact(offsets.total(), dtype.bytes()));
        return List.of(
                new PlannedDataset(
                        names.values(field), TypeMessages.number(dtype), new long[] {offsets.total()}, values),
                new PlannedDataset(
                        names.offsets(field),
                        TypeMessages.number(DType.INT64),
                        new long[] {part.count() + 1},
                        offsets));
    }

    /** The shape that all values of a field have. */
    private List<Long> onlyShape(int field, int rank) {
        long[] first = samples.count() == 0 ? new long[rank] : shape(0, field);
        for (long i = 1; i < samples.count(); i++) {
            long[] shape = shape(i, field);
            if (!Arrays.equals(shape, first)) {
                throw new StokerException("--" + Hdf5Format.LAYOUT + " fixed needs values of one shape, but in field '"
                        + samples.schema().fields().get(field).name() + "' " + samples.describe(0) + " has "
                        + Arrays.toString(first) + " and " + samples.describe(i) + " has " + Arrays.toString(shape)
                        + "; choose vlen or csr");
            }
        }
        return Arrays.stream(first).boxed().toList();
    }

    private long[] shape(long sample, int field) {
        return samples.schema().type(field) instanceof FieldType.Array
                ? samples.shape(sample, field)
                : new long[] {samples.length(sample, field)};
    }
}
