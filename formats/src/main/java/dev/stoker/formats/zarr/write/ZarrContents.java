package dev.stoker.formats.zarr.write;

import dev.stoker.StokerException;
import dev.stoker.format.FormatOptions;
import dev.stoker.formats.shared.array.Area;
import dev.stoker.formats.shared.array.DiskNames;
import dev.stoker.formats.shared.array.IndexedFields;
import dev.stoker.formats.shared.array.Part;
import dev.stoker.formats.shared.array.StokerAttribute;
import dev.stoker.formats.zarr.layout.Shard;
import dev.stoker.formats.zarr.layout.ZarrJson;
import dev.stoker.index.Placement;
import dev.stoker.json.Json;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a planned container holds, be it in a zip or in a folder: files of metadata, then one shard for each array. */
public final class ZarrContents {
    public static final String LAYOUT = "csr";

    private final String format;
    private final Samples samples;
    private final List<Part> parts;
    private final List<Group> groups;
    private final List<Content> all = new ArrayList<>();

    /**
     * What one file holds.
     *
     * @param path the file's; null for an array without elements, which has none: but the Index has to hear of the values
     *     of no bytes
     */
    record Content(@Nullable String path, Area area) {
        boolean isShard() {
            return area instanceof Shard;
        }
    }

    /** A part, and for each field its arrays. */
    private record Group(Part part, List<List<PlannedArray>> fields) {
        List<PlannedArray> arrays() {
            return fields.stream().flatMap(List::stream).toList();
        }

        String path(PlannedArray array) {
            return part.group() + "/" + array.name();
        }
    }

    ZarrContents(String format, Samples samples, FormatOptions options) {
        this.format = format;
        this.samples = samples;
        this.parts = Part.of(samples);
        var names = new DiskNames(format, samples.schema(), options);
        checkNames(names);
        this.groups = planGroups(new ArrayPlanner(samples, names));
        addAll(StokerAttribute.of(samples, LAYOUT, names));
    }

    private void checkNames(DiskNames names) {
        var groupNames = new HashSet<String>();
        for (Part part : parts) {
            checkName(part.group(), "split");
            if (!groupNames.add(part.group())) {
                throw new StokerException(
                        "format " + format + " cannot hold two splits of the name '" + part.group() + "'");
            }
        }
        for (int f = 0; f < samples.schema().size(); f++) {
            checkName(
                    names.values(f),
                    "field '" + samples.schema().fields().get(f).name() + "'");
        }
    }

    /** Names that Zarr keeps for itself, or that no folder can have, are refused beside those of other formats. */
    private void checkName(String name, String what) {
        DiskNames.checked(format, name, what);
        if (name.startsWith("__")
                || name.equals("..")
                || name.equals(ZarrJson.FILE)
                || name.getBytes(StandardCharsets.UTF_8).length > 240) {
            throw new StokerException("format " + format + " cannot name " + what + " '" + name
                    + "': a name there does not begin with '__', is neither '..' nor '" + ZarrJson.FILE
                    + "', and has at most 240 bytes" + (what.startsWith("field") ? "; give another with --name" : ""));
        }
    }

    private List<Group> planGroups(ArrayPlanner planner) {
        var planned = new ArrayList<Group>();
        for (Part part : parts) {
            var fields = new ArrayList<List<PlannedArray>>();
            for (int f = 0; f < samples.schema().size(); f++) {
                fields.add(planner.arrays(f, part));
            }
            planned.add(new Group(part, fields));
        }
        return planned;
    }

    /** The metadata first. */
    private void addAll(Map<String, @Nullable Object> stoker) {
        var metadata = new LinkedHashMap<String, @Nullable Object>();
        for (Group group : groups) {
            metadata.put(group.part.group(), ZarrJson.group(Map.of()));
            group.arrays().forEach(array -> metadata.put(group.path(array), array.metadata()));
        }
        addJson("", ZarrJson.root(Map.of(StokerAttribute.NAME, stoker), metadata));
        metadata.forEach((path, json) -> addJson(path + "/", json));
        for (Group group : groups) {
            for (PlannedArray array : group.arrays()) {
                Shard shard = array.shard();
                all.add(
                        shard == null
                                ? new Content(null, array.values())
                                : new Content(group.path(array) + "/" + array.shardKey(), shard));
            }
        }
    }

    private void addJson(String path, @Nullable Object json) {
        all.add(new Content(
                path + ZarrJson.FILE, new BytesArea(Json.writePretty(json).getBytes(StandardCharsets.UTF_8))));
    }

    /** In the order in which they lie, if they lie one after another. */
    List<Content> all() {
        return all;
    }

    /**
     * Where the values lie, when everything is placed. Numbers of one group are dense; those of several have other things
     * between them.
     *
     * @param inBlocks whether they lie in files of a folder, which are blocks to the Index
     */
    List<Placement> placements(boolean inBlocks) {
        var placements = new ArrayList<Placement>();
        for (int f = 0; f < samples.schema().size(); f++) {
            Field field = samples.schema().fields().get(f);
            Area values = groups.getFirst().fields.get(f).getFirst().values();
            boolean isFixed = field.type().isFixed();
            if (IndexedFields.has(field)) {
                placements.add(Placement.indexed(isFixed));
            } else if (isFixed && parts.size() == 1) {
                placements.add(
                        inBlocks ? Placement.blocksFrom(values.offset()) : Placement.storedFrom(values.offset()));
            } else {
                placements.add(inBlocks ? Placement.blocks() : Placement.stored());
            }
        }
        return placements;
    }
}
