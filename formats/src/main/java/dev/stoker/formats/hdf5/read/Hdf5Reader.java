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
import dev.stoker.formats.shared.array.ColumnReader;
import dev.stoker.formats.shared.array.Groups;
import dev.stoker.formats.shared.array.Groups.Group;
import dev.stoker.formats.shared.array.StokerAttribute;
import dev.stoker.index.IndexBuilder;
import dev.stoker.io.MappedFile;
import dev.stoker.json.Json;
import java.io.ByteArrayInputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Derives the Index of an HDF5 file: which groups are splits, which datasets are fields, and where their values lie.
 */
public final class Hdf5Reader {
    private final FileBytes file;
    private final ObjectHeader root;
    private final GlobalHeap heap;
    private final ColumnChooser columns;
    private final Groups groups;

    public Hdf5Reader(MappedFile mapped) {
        Superblock superblock = Superblock.read(mapped);
        this.file = superblock.file();
        this.root = ObjectHeader.read(file, superblock.root());
        this.heap = new GlobalHeap(file);
        this.columns = new ColumnChooser(heap);
        this.groups = new Groups(file);
    }

    public IndexBuilder derive() {
        try {
            Map<String, Long> links = GroupLinks.of(file, root);
            byte[] stoker = stokerAttribute(links);
            return stoker == null ? foreign(links) : written(links, read(stoker));
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
            var datasets = datasets(name + "/", GroupLinks.of(file, ObjectHeader.read(file, address)));
            var readers = new ArrayList<ColumnReader>();
            for (int f = 0; f < stoker.schema().size(); f++) {
                readers.add(columns.written(
                        stoker.schema().fields().get(f), stoker.names().get(f), layout, datasets, file));
            }
            return readers;
        });
    }

    /** A file by other software: the root's datasets are the fields, or else those of its groups, each a split. */
    private IndexBuilder foreign(Map<String, Long> links) {
        var leftOut = new TreeSet<String>();
        Group whole = group("", links, leftOut);
        if (whole != null) {
            return groups.whole(whole);
        }
        var found = new ArrayList<Group>();
        for (Map.Entry<String, Long> link : links.entrySet()) {
            ObjectHeader header = ObjectHeader.read(file, link.getValue());
            Group group =
                    GroupLinks.isGroup(header) ? group(link.getKey(), GroupLinks.of(file, header), leftOut) : null;
            if (group != null) {
                found.add(group);
            }
        }
        if (found.isEmpty()) {
            throw file.unsupported("neither its root nor the groups there have datasets that Stoker reads as samples"
                    + (leftOut.isEmpty() ? "" : "; left out: " + String.join(", ", leftOut)));
        }
        return groups.splits(found);
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
        return fields.isEmpty() ? null : new Group(name, fields);
    }
}
