package dev.stoker.formats.hdf5;

import dev.stoker.StokerException;
import dev.stoker.index.IndexBuilder;
import dev.stoker.memory.MappedFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Derives the Index of an HDF5 file: which groups are splits, which datasets are fields, and where their values lie.
 */
final class Hdf5Reader {
    private final FileBytes file;
    private final ObjectHeader root;
    private final GlobalHeap heap;
    private final Columns columns;

    /** The fields of one group, by the names of their datasets. */
    private record Group(String name, Map<String, ColumnReader> fields, long count) {}

    Hdf5Reader(MappedFile mapped) {
        Superblock superblock = Superblock.read(mapped);
        this.file = superblock.file();
        this.root = ObjectHeader.read(file, superblock.root());
        this.heap = new GlobalHeap(file);
        this.columns = new Columns(heap);
    }

    IndexBuilder derive() {
        try {
            Map<String, Long> links = Links.of(file, root);
            byte[] stoker = stokerAttribute(links);
            return stoker == null ? foreign(links) : written(links, StokerAttribute.read(file.file(), stoker));
        } catch (ArithmeticException e) {
            StokerException corrupt =
                    file.corrupt(-1, "its numbers make sizes of 2^63 bytes and more; the file is damaged");
            corrupt.initCause(e);
            throw corrupt;
        } catch (StokerException e) {
            // What a schema or a type refuses does not know the file.
            throw String.valueOf(e.getMessage()).startsWith("[")
                    ? e
                    : new StokerException("[" + file.file() + "] " + e.getMessage(), e);
        }
    }

    private byte @Nullable [] stokerAttribute(Map<String, Long> links) {
        byte[] attribute = Attributes.text(file, root, StokerAttribute.NAME, heap);
        Long there = links.get(StokerAttribute.NAME);
        if (attribute != null || there == null) {
            return attribute;
        }
        Dataset dataset = Dataset.of(file, StokerAttribute.NAME, ObjectHeader.read(file, there));
        if (dataset == null || dataset.rank() > 0 || !(dataset.type() instanceof Datatype.FixedText)) {
            return null;
        }
        Rows text = RowsReader.of(dataset);
        if (!text.isInFile()) {
            return null;
        }
        var bytes = new byte[Math.toIntExact(text.bytes())];
        text.copy(0, MemorySegment.ofArray(bytes));
        return bytes;
    }

    private Map<String, Dataset> datasets(String group, Map<String, Long> links) {
        var datasets = new LinkedHashMap<String, Dataset>();
        links.forEach((name, address) -> {
            Dataset dataset = Dataset.of(file, group + name, ObjectHeader.read(file, address));
            if (dataset != null) {
                datasets.put(name, dataset);
            }
        });
        return datasets;
    }

    private IndexBuilder written(Map<String, Long> links, StokerAttribute stoker) {
        List<String> names = stoker.splits().isEmpty() ? List.of(Part.WHOLE) : stoker.splits();
        var groups = new ArrayList<List<ColumnReader>>();
        var splits = new ArrayList<Split>();
        long first = 0;
        for (String name : names) {
            Long address = links.get(name);
            if (address == null) {
                throw file.unsupported("its attribute '" + StokerAttribute.NAME + "' tells of a group '" + name
                        + "' that is not there; delete the attribute to read the file as it is");
            }
            var datasets = datasets(name + "/", Links.of(file, ObjectHeader.read(file, address)));
            var readers = new ArrayList<ColumnReader>();
            for (int f = 0; f < stoker.schema().size(); f++) {
                readers.add(columns.written(
                        stoker.schema().fields().get(f), stoker.names().get(f), stoker.layout(), datasets, file));
            }
            long count = commonCount(readers);
            splits.add(new Split(name, first, count));
            first += count;
            groups.add(readers);
        }
        return new IndexFiller(file, stoker.schema(), groups)
                .fill(stoker.splits().isEmpty() ? List.of() : splits);
    }

    private long commonCount(List<ColumnReader> readers) {
        ColumnReader first = readers.getFirst();
        for (ColumnReader reader : readers) {
            if (reader.count() != first.count()) {
                throw file.unsupported("the datasets of a group should have as many samples each, but "
                        + first.dataset().label() + " has " + first.count() + " and "
                        + reader.dataset().label() + " has " + reader.count());
            }
        }
        return first.count();
    }

    /** A file by other software: the root's datasets are the fields, or else those of its groups, each a split. */
    private IndexBuilder foreign(Map<String, Long> links) {
        var leftOut = new TreeSet<String>();
        Group whole = group("", links, leftOut);
        if (whole != null) {
            return fill(List.of(whole), List.of());
        }
        var groups = new ArrayList<Group>();
        var splits = new ArrayList<Split>();
        long first = 0;
        for (Map.Entry<String, Long> link : links.entrySet()) {
            ObjectHeader header = ObjectHeader.read(file, link.getValue());
            Group group = Links.isGroup(header) ? group(link.getKey(), Links.of(file, header), leftOut) : null;
            if (group != null) {
                groups.add(group);
                splits.add(new Split(group.name, first, group.count));
                first += group.count;
            }
        }
        if (groups.isEmpty()) {
            throw file.unsupported("neither its root nor the groups there have datasets that Stoker reads as samples"
                    + (leftOut.isEmpty() ? "" : "; left out: " + String.join(", ", leftOut)));
        }
        requireSameFields(groups);
        return fill(groups, splits);
    }

    private @Nullable Group group(String name, Map<String, Long> links, Set<String> leftOut) {
        var fields = new LinkedHashMap<String, ColumnReader>();
        datasets(name.isEmpty() ? "" : name + "/", links).forEach((field, dataset) -> {
            ColumnReader reader = columns.guess(dataset);
            if (reader == null) {
                leftOut.add(dataset.label());
            } else {
                fields.put(field, reader);
            }
        });
        return fields.isEmpty() ? null : new Group(name, fields, commonCount(List.copyOf(fields.values())));
    }

    private void requireSameFields(List<Group> groups) {
        Group first = groups.getFirst();
        for (Group group : groups) {
            var names = new TreeSet<>(first.fields.keySet());
            if (!names.equals(new TreeSet<>(group.fields.keySet()))) {
                throw file.unsupported("groups are splits and should have the same datasets, but '" + first.name
                        + "' has " + names + " and '" + group.name + "' has "
                        + new TreeSet<>(group.fields.keySet()));
            }
            first.fields.forEach((name, reader) -> {
                ColumnReader other = group.fields.get(name);
                if (other != null && !reader.type().equals(other.type())) {
                    throw file.unsupported("groups are splits and should hold the same, but "
                            + reader.dataset().label() + " is not as "
                            + other.dataset().label());
                }
            });
        }
    }

    private IndexBuilder fill(List<Group> groups, List<Split> splits) {
        Map<String, ColumnReader> first = groups.getFirst().fields;
        var fields = new ArrayList<Field>();
        first.forEach((name, reader) -> fields.add(new Field(logicalName(name, first), reader.type())));
        var readers = new ArrayList<List<ColumnReader>>();
        for (Group group : groups) {
            var row = new ArrayList<ColumnReader>();
            first.keySet().forEach(name -> row.add(java.util.Objects.requireNonNull(group.fields.get(name))));
            readers.add(row);
        }
        return new IndexFiller(file, new Schema(fields), readers).fill(splits);
    }

    /** What courses call images and targets are the data and label of a sample. */
    private static String logicalName(String dataset, Map<String, ColumnReader> datasets) {
        for (Map.Entry<String, String> usual : DiskNames.USUAL.entrySet()) {
            if (usual.getValue().equals(dataset) && !datasets.containsKey(usual.getKey())) {
                return usual.getKey();
            }
        }
        return dataset;
    }
}
