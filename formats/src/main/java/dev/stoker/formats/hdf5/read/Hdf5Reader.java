package dev.stoker.formats.hdf5.read;

import dev.stoker.StokerException;
import dev.stoker.formats.hdf5.structure.AttributeReader;
import dev.stoker.formats.hdf5.structure.DatasetHeader;
import dev.stoker.formats.hdf5.structure.Datatype;
import dev.stoker.formats.hdf5.structure.FileBytes;
import dev.stoker.formats.hdf5.structure.GlobalHeap;
import dev.stoker.formats.hdf5.structure.GroupLinks;
import dev.stoker.formats.hdf5.structure.ObjectHeader;
import dev.stoker.formats.hdf5.structure.Superblock;
import dev.stoker.formats.hdf5.structure.VlenLayout;
import dev.stoker.formats.shared.array.ArrayGroup;
import dev.stoker.formats.shared.array.ColumnReader;
import dev.stoker.formats.shared.array.Groups;
import dev.stoker.formats.shared.array.StokerAttribute;
import dev.stoker.index.IndexBuilder;
import dev.stoker.io.MappedFile;
import dev.stoker.json.Json;
import dev.stoker.sample.Omission;
import dev.stoker.sample.Omissions;
import java.io.ByteArrayInputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Derives the Index of an HDF5 file: which groups are splits, which datasets are fields, and where their values lie.
 */
public final class Hdf5Reader {
    /** Groups in groups; files of programs have a handful. */
    private static final int MAX_DEPTH = 32;

    /** PyTables keeps these names for the groups of its indexes. */
    private static final String INDEX_OF = "_i_";

    private static final Set<String> PANDAS_AXES = Set.of("axis0", "axis1", "block0_items");
    private static final String PANDAS_VALUES = "block0_values";

    private final FileBytes file;
    private final long rootAddress;
    private final ObjectHeader root;
    private final GlobalHeap heap;
    private final ColumnChooser columns;
    private final Groups groups;

    public Hdf5Reader(MappedFile mapped) {
        Superblock superblock = Superblock.read(mapped);
        this.file = superblock.file();
        this.rootAddress = superblock.root();
        this.root = ObjectHeader.read(file, rootAddress);
        this.heap = new GlobalHeap(file);
        this.columns = new ColumnChooser(heap);
        this.groups = new Groups(file);
    }

    public IndexBuilder derive() {
        try {
            GroupLinks links = GroupLinks.of(file, root);
            byte[] stoker = stokerAttribute(links.hard());
            return stoker == null ? foreign(links) : written(links.hard(), read(stoker));
        } catch (ArithmeticException e) {
            StokerException corrupt =
                    file.corrupt(-1, "its numbers make sizes of 2^63 bytes and more; the file is damaged");
            corrupt.initCause(e);
            throw corrupt;
        } catch (StokerException e) {
            // What a schema or a type refuses does not know the file.
            throw e.in(file.file());
        }
    }

    private StokerAttribute read(byte[] stoker) {
        var in = new ByteArrayInputStream(stoker);
        return StokerAttribute.read(file.file(), Json.parse(in, StokerAttribute.place(file.file()), stoker.length));
    }

    private byte @Nullable [] stokerAttribute(Map<String, Long> links) {
        byte[] attribute = AttributeReader.text(file, root, StokerAttribute.NAME, heap);
        Long there = links.get(StokerAttribute.NAME);
        if (attribute != null || there == null) {
            return attribute;
        }
        DatasetHeader dataset = DatasetHeader.of(file, StokerAttribute.NAME, ObjectHeader.read(file, there));
        if (dataset == null || dataset.rank() > 0 || !(dataset.type() instanceof Datatype.FixedText)) {
            return null;
        }
        DatasetRows text = RowsReader.of(dataset);
        if (!text.isInFile()) {
            return null;
        }
        var bytes = new byte[Math.toIntExact(text.bytes())];
        text.copy(0, MemorySegment.ofArray(bytes));
        return bytes;
    }

    private Map<String, DatasetHeader> datasets(String group, Map<String, Long> links) {
        var datasets = new LinkedHashMap<String, DatasetHeader>();
        links.forEach((name, address) -> {
            DatasetHeader dataset = DatasetHeader.of(file, group + name, ObjectHeader.read(file, address));
            if (dataset != null) {
                datasets.put(name, dataset);
            }
        });
        return datasets;
    }

    private IndexBuilder written(Map<String, Long> links, StokerAttribute stoker) {
        VlenLayout layout = VlenLayout.named(StokerAttribute.place(file.file()), stoker.layout());
        return groups.written(stoker, name -> {
            Long address = links.get(name);
            if (address == null) {
                throw file.unsupported("its attribute '" + StokerAttribute.NAME + "' tells of a group '" + name
                        + "' that is not there; delete the attribute to read the file as it is");
            }
            var datasets = datasets(
                    name + "/",
                    GroupLinks.of(file, ObjectHeader.read(file, address)).hard());
            var readers = new ArrayList<ColumnReader>();
            for (int f = 0; f < stoker.schema().size(); f++) {
                readers.add(columns.written(
                        stoker.schema().fields().get(f), stoker.names().get(f), layout, datasets, file));
            }
            return readers;
        });
    }

    /** A file by other software: the datasets of some groups are the fields, each of these groups a split. */
    private IndexBuilder foreign(GroupLinks links) {
        var omissions = new Omissions();
        var below = new ArrayDeque<Group>();
        ArrayGroup<ColumnReader> whole = group("", 0, links, below, omissions);
        var found = new ArrayList<ArrayGroup<ColumnReader>>();
        var seen = new HashSet<Long>(List.of(rootAddress));
        while (!below.isEmpty()) {
            Group next = below.removeFirst();
            if (seen.add(next.address)) {
                GroupLinks inIt = GroupLinks.of(file, ObjectHeader.read(file, next.address));
                found.add(group(next.path, next.depth, inIt, below, omissions));
            } else {
                omissions.add(next.path, "group", "it is another link to a group that was read");
            }
        }
        return groups.foreign(whole, found, omissions);
    }

    /** A group that is to be looked into. */
    private record Group(String path, int depth, long address) {}

    private ArrayGroup<ColumnReader> group(
            String name, int depth, GroupLinks links, ArrayDeque<Group> below, Omissions omissions) {
        String prefix = name.isEmpty() ? "" : name + "/";
        links.others().forEach((link, kind) -> omissions.add(prefix + link, kind, "links are not followed"));
        var fields = new LinkedHashMap<String, ColumnReader>();
        links.hard().forEach((child, address) -> {
            ObjectHeader header = ObjectHeader.read(file, address);
            DatasetHeader dataset = DatasetHeader.of(file, prefix + child, header);
            if (dataset != null && dataset.isBareDimension()) {
                return;
            }
            if (dataset != null) {
                Map<String, ColumnReader> readers = columns.guess(child, dataset);
                fields.putAll(readers);
                omit(dataset, readers, prefix + child, omissions);
            } else if (child.startsWith(INDEX_OF) && links.hard().containsKey(child.substring(INDEX_OF.length()))) {
                omissions.add(prefix + child, "group", "it is an index that PyTables made of the table beside it");
            } else if (GroupLinks.isGroup(header)) {
                if (depth < MAX_DEPTH) {
                    below.add(new Group(prefix + child, depth + 1, address));
                } else {
                    omissions.add(prefix + child, "group", "it is more than " + MAX_DEPTH + " groups deep");
                }
            }
        });
        ColumnReader values = fields.get(PANDAS_VALUES);
        if (values != null && links.hard().keySet().containsAll(PANDAS_AXES)) {
            StokerException refusal = file.unsupported("group '" + (name.isEmpty() ? "/" : name)
                    + "' is a table of pandas in its layout 'fixed', which has blocks in place of columns; store it as"
                    + " Parquet: pandas.read_hdf(IN, '" + (name.isEmpty() ? "/" : name) + "').to_parquet(OUT)");
            var refused = new RefusedColumn(values.type(), values.count(), false, values.label(), refusal);
            return new ArrayGroup<>(name, Map.of(PANDAS_VALUES, refused));
        }
        return new ArrayGroup<>(name, fields);
    }

    /** Tells of what no field delivers of a dataset. */
    private static void omit(
            DatasetHeader dataset, Map<String, ColumnReader> readers, String path, Omissions omissions) {
        if (!readers.isEmpty() && dataset.type() instanceof Datatype.Compound compound) {
            String name = path.substring(path.lastIndexOf('/') + 1);
            for (Datatype.Compound.Member member : compound.members()) {
                if (!readers.containsKey(name + "." + member.name()) && !readers.containsKey(name)) {
                    omissions.add(
                            path + "." + member.name(),
                            "member of type " + member.type().label(),
                            Omission.NO_SUCH_TYPE);
                }
            }
        } else if (readers.isEmpty()) {
            omissions.add(
                    path,
                    "dataset of type " + dataset.type().label(),
                    dataset.rank() == 0 ? "it is a single value" : Omission.NO_SUCH_TYPE);
        }
    }
}
