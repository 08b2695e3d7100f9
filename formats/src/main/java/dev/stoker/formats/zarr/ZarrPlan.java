package dev.stoker.formats.zarr;

import dev.stoker.StokerException;
import dev.stoker.format.Options;
import dev.stoker.format.Plan;
import dev.stoker.format.Run;
import dev.stoker.format.RunWriter;
import dev.stoker.formats.shared.array.Area;
import dev.stoker.formats.shared.array.DiskNames;
import dev.stoker.formats.shared.array.IndexedFields;
import dev.stoker.formats.shared.array.Part;
import dev.stoker.formats.shared.array.StokerAttribute;
import dev.stoker.formats.shared.zip.ZipRecords;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.index.Placement;
import dev.stoker.json.Json;
import dev.stoker.memory.Layouts;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A planned zip. Runs: the contents of the members; and last, since they have the CRC-32 of these, the local headers and
 * the central directory. Every run of contents notes its CRC-32 under its own number.
 */
final class ZarrPlan implements Plan {
    static final String LAYOUT = "csr";

    /** So that numbers lie where processors like them. */
    private static final int ALIGNMENT = 64;

    private final Samples samples;
    private final List<Part> parts;
    private final List<Member> members = new ArrayList<>();
    /** The runs of contents first. */
    private final List<Run> runs = new ArrayList<>();
    /** For each run of contents what fills it. */
    private final List<Area> areaOfRun = new ArrayList<>();

    /** Where the next member begins. */
    private long position;

    private final long directory;
    private final byte[] end;
    private final IndexLayout index;

    /** A file of the archive; its contents are the runs {@code firstRun … endRun - 1}. */
    private record Member(byte[] name, long header, int padding, long length, int firstRun, int endRun) {}

    /** A part, and for each field its arrays. */
    private record Group(Part part, List<List<PlannedArray>> fields) {
        List<PlannedArray> arrays() {
            return fields.stream().flatMap(List::stream).toList();
        }

        String path(PlannedArray array) {
            return part.group() + "/" + array.name();
        }
    }

    ZarrPlan(Samples samples, Options options) {
        this.samples = samples;
        this.parts = Part.of(samples);
        var names = new DiskNames(ZarrZipFormat.NAME, samples.schema(), options);
        checkNames(names);
        List<Group> groups = planGroups(new ArrayPlanner(samples, names));
        placeAll(groups, StokerAttribute.of(samples, LAYOUT, names));
        List<Placement> placements = placements(groups);
        this.directory = position;
        this.end = planDirectory();
        this.index = IndexLayout.sidecar(
                new IndexMeta(ZarrZipFormat.NAME, samples.schema(), samples.splits(), placements),
                samples.count(),
                IndexLayout.indexedBytes(samples, placements));
    }

    private void checkNames(DiskNames names) {
        var groups = new HashSet<String>();
        for (Part part : parts) {
            checkName(part.group(), "split");
            if (!groups.add(part.group())) {
                throw new StokerException(
                        "format " + ZarrZipFormat.NAME + " cannot hold two splits of the name '" + part.group() + "'");
            }
        }
        for (int f = 0; f < samples.schema().size(); f++) {
            checkName(
                    names.values(f),
                    "field '" + samples.schema().fields().get(f).name() + "'");
        }
    }

    /** Names that Zarr keeps for itself, or that no folder can have, are refused beside those of other formats. */
    private static void checkName(String name, String what) {
        DiskNames.checked(ZarrZipFormat.NAME, name, what);
        if (name.startsWith("__")
                || name.equals("..")
                || name.equals(ZarrJson.FILE)
                || name.getBytes(StandardCharsets.UTF_8).length > 240) {
            throw new StokerException("format " + ZarrZipFormat.NAME + " cannot name " + what + " '" + name
                    + "': a name there does not begin with '__', is neither '..' nor '" + ZarrJson.FILE
                    + "', and has at most 240 bytes" + (what.startsWith("field") ? "; give another with --name" : ""));
        }
    }

    private List<Group> planGroups(ArrayPlanner planner) {
        var groups = new ArrayList<Group>();
        for (Part part : parts) {
            var fields = new ArrayList<List<PlannedArray>>();
            for (int f = 0; f < samples.schema().size(); f++) {
                fields.add(planner.arrays(f, part));
            }
            groups.add(new Group(part, fields));
        }
        return groups;
    }

    /** Places every member but the directory, the metadata first. */
    private void placeAll(List<Group> groups, Map<String, @Nullable Object> stoker) {
        var metadata = new LinkedHashMap<String, @Nullable Object>();
        for (Group group : groups) {
            metadata.put(group.part.group(), ZarrJson.group(Map.of()));
            group.arrays().forEach(array -> metadata.put(group.path(array), array.metadata()));
        }
        addJson("", ZarrJson.root(Map.of(StokerAttribute.NAME, stoker), metadata));
        metadata.forEach((path, json) -> addJson(path + "/", json));
        for (Group group : groups) {
            group.arrays().forEach(array -> add(group.path(array) + "/", array));
        }
    }

    private void addJson(String path, @Nullable Object json) {
        var bytes = new BytesArea(Json.writePretty(json).getBytes(StandardCharsets.UTF_8));
        addMember(path + ZarrJson.FILE, bytes, 1);
    }

    private void add(String path, PlannedArray array) {
        if (array.shard() != null) {
            addMember(path + array.shardKey(), array.shard(), ALIGNMENT);
        } else {
            // No member, but the Index has to hear of the values of no bytes.
            array.values().place(position);
            addRuns(array.values());
        }
    }

    private void addMember(String path, Area content, int alignment) {
        byte[] name = path.getBytes(StandardCharsets.UTF_8);
        long header = position;
        long headerEnd = header + ZipRecords.localBytes(name.length, content.length());
        int padding = (int) (Layouts.align(headerEnd, alignment) - headerEnd);
        if (padding > 0 && padding < ZipRecords.LEAST_PADDING) {
            padding += alignment;
        }
        content.place(headerEnd + padding);
        int first = runs.size();
        addRuns(content);
        members.add(new Member(name, header, padding, content.length(), first, runs.size()));
        position = Math.addExact(content.offset(), content.length());
    }

    private void addRuns(Area area) {
        for (Run run : area.runs()) {
            runs.add(run);
            areaOfRun.add(area);
        }
    }

    /** Numbers of one group are dense; those of several have other things between them. */
    private List<Placement> placements(List<Group> groups) {
        var placements = new ArrayList<Placement>();
        for (int f = 0; f < samples.schema().size(); f++) {
            Field field = samples.schema().fields().get(f);
            Area values = groups.getFirst().fields.get(f).getFirst().values();
            boolean isFixed = field.type().isFixed();
            if (IndexedFields.has(field)) {
                placements.add(Placement.indexed(isFixed));
            } else if (isFixed && parts.size() == 1) {
                placements.add(Placement.storedFrom(values.offset()));
            } else {
                placements.add(Placement.stored());
            }
        }
        return placements;
    }

    private byte[] planDirectory() {
        for (Member member : members) {
            runs.add(Run.frame(
                    member.header, ZipRecords.localBytes(member.name.length, member.length) + member.padding));
        }
        long bytes = 0;
        for (Member member : members) {
            bytes += ZipRecords.centralBytes(member.name.length, member.length, member.header);
        }
        byte[] last = ZipRecords.end(members.size(), directory, bytes);
        runs.add(Run.frame(directory, bytes + last.length));
        position = directory + bytes + last.length;
        return last;
    }

    @Override
    public void fill(int number, RunWriter out) {
        if (number < areaOfRun.size()) {
            var crc = new CRC32();
            out.digest(crc);
            areaOfRun.get(number).fill(runs.get(number), out);
            out.digest(null);
            out.note(number, (int) crc.getValue());
            return;
        }
        int late = number - areaOfRun.size();
        if (late < members.size()) {
            Member member = members.get(late);
            out.put(ZipRecords.local(member.name, crc(member, out), member.length, member.padding));
            return;
        }
        for (Member member : members) {
            out.put(ZipRecords.central(member.name, crc(member, out), member.length, member.header, false));
        }
        out.put(end);
    }

    /** The CRC-32 of a member, from those of its runs. */
    private int crc(Member member, RunWriter out) {
        int[] noted = out.noted(member.firstRun, member.endRun - member.firstRun);
        int crc = 0;
        for (int i = 0; i < noted.length; i++) {
            crc = Crc32.join(crc, noted[i], runs.get(member.firstRun + i).length());
        }
        return crc;
    }

    @Override
    public int lateRuns() {
        return members.size() + 1;
    }

    @Override
    public IndexLayout index() {
        return index;
    }

    @Override
    public long length() {
        return position;
    }

    @Override
    public int runs() {
        return runs.size();
    }

    @Override
    public Run run(int number) {
        return runs.get(number);
    }
}
