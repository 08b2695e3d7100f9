package dev.stoker.formats.hdf5.write;

import dev.stoker.StokerException;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.format.PlanOutline;
import dev.stoker.format.Run;
import dev.stoker.format.RunWriter;
import dev.stoker.formats.hdf5.Hdf5Format;
import dev.stoker.formats.hdf5.structure.HeaderMessages;
import dev.stoker.formats.hdf5.structure.HeaderMessages.Message;
import dev.stoker.formats.hdf5.structure.MetadataBuffer;
import dev.stoker.formats.hdf5.structure.TypeMessages;
import dev.stoker.formats.hdf5.structure.VlenLayout;
import dev.stoker.formats.shared.array.Area;
import dev.stoker.formats.shared.array.DiskNames;
import dev.stoker.formats.shared.array.IndexedFields;
import dev.stoker.formats.shared.array.Part;
import dev.stoker.formats.shared.array.StokerAttribute;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.index.Placement;
import dev.stoker.io.LittleEndian;
import dev.stoker.json.Json;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * A planned HDF5 file: superblock and object headers (the first run), then the raw data of the datasets, then the heaps
 * that these refer to. Headers have the same length wherever their datasets lie, so these are placed behind them.
 */
public final class Hdf5Plan implements Plan {
    /** A longer one is a dataset: an attribute with its name and type has at most 65535 bytes. */
    private static final int MAX_ATTRIBUTE = 60_000;

    private final Samples samples;
    private final List<Part> parts;
    /** For each part its datasets, in the order of the fields. */
    private final List<List<PlannedDataset>> datasets = new ArrayList<>();
    /** In the order of the file. */
    private final List<Area> areas = new ArrayList<>();

    /** For each run but the first its area. */
    private final List<Area> areaOfRun = new ArrayList<>();

    private final byte[] stoker;
    private final PlanOutline outline;
    private final byte[] head;

    public Hdf5Plan(Samples samples, FormatOptions options) {
        this.samples = samples;
        this.parts = Part.of(samples);
        VlenLayout layout = VlenLayout.of(options);
        var names = new DiskNames(Hdf5Format.NAME, samples.schema(), options);
        this.stoker =
                Json.write(StokerAttribute.of(samples, layout.label(), names)).getBytes(StandardCharsets.UTF_8);
        checkGroups();
        var planner = new DatasetPlanner(samples, layout, names);
        var bases = planDatasets(planner);
        areas.addAll(planner.heaps());
        long length = place(headers(0).length);
        this.head = headers(length);
        var meta = new IndexMeta(Hdf5Format.NAME, samples.schema(), samples.splits(), placements(bases));
        this.outline = new PlanOutline(IndexLayout.sidecar(meta, samples), length, cutRuns());
    }

    private void checkGroups() {
        var names = new HashSet<String>();
        for (Part part : parts) {
            DiskNames.checked(Hdf5Format.NAME, part.group(), "split");
            if (!names.add(part.group())) {
                throw new StokerException("format hdf5 cannot hold two splits of the name '" + part.group() + "'");
            }
        }
        if (!isAttribute() && names.contains(StokerAttribute.NAME)) {
            throw new StokerException("format hdf5 needs the name '" + StokerAttribute.NAME
                    + "' for the names of so many classes; rename that split");
        }
    }

    private boolean isAttribute() {
        return stoker.length <= MAX_ATTRIBUTE;
    }

    /** Plans all datasets; returns for each field the area that its values begin in. */
    private List<Area> planDatasets(DatasetPlanner planner) {
        parts.forEach(part -> datasets.add(new ArrayList<>()));
        var bases = new ArrayList<Area>();
        for (int f = 0; f < samples.schema().size(); f++) {
            for (int p = 0; p < parts.size(); p++) {
                List<PlannedDataset> some = planner.datasets(f, parts.get(p), p > 0);
                datasets.get(p).addAll(some);
                some.forEach(dataset -> areas.add(dataset.area()));
                if (p == 0) {
                    bases.add(some.getFirst().area());
                }
            }
        }
        return bases;
    }

    private List<Placement> placements(List<Area> bases) {
        var placements = new ArrayList<Placement>();
        for (int f = 0; f < samples.schema().size(); f++) {
            Field field = samples.schema().fields().get(f);
            boolean isFixed = field.type().isFixed();
            if (IndexedFields.has(field)) {
                placements.add(Placement.indexed(isFixed));
            } else if (isFixed) {
                placements.add(Placement.storedFrom(bases.get(f).offset()));
            } else {
                placements.add(Placement.stored());
            }
        }
        return placements;
    }

    /** Places every area and returns the end of the file. */
    private long place(long start) {
        long end = start;
        for (Area area : areas) {
            long at = LittleEndian.align(end, area.alignment());
            area.place(at);
            end = Math.addExact(at, area.length());
        }
        return end;
    }

    /**
     * Everything before the raw data. Asked for twice: first, with no end, for its length.
     *
     * @param end of the file; 0 if nothing is placed yet
     */
    private byte[] headers(long end) {
        var body = new MetadataBuffer();
        var root = new ArrayList<>(HeaderMessages.group());
        if (isAttribute()) {
            root.add(HeaderMessages.attribute(StokerAttribute.NAME, stoker));
        } else {
            // The text itself lies right behind its dataset's header.
            byte[] type = TypeMessages.fixedText(stoker.length);
            int bytes = align(HeaderMessages.dataset(type, new long[0], 0, stoker.length)).length;
            long address = end(body);
            root.add(HeaderMessages.link(StokerAttribute.NAME, address));
            body.bytes(align(HeaderMessages.dataset(type, new long[0], address + bytes, stoker.length)));
            body.bytes(align(stoker));
        }
        for (int p = 0; p < parts.size(); p++) {
            List<Message> group = new ArrayList<>(HeaderMessages.group());
            for (PlannedDataset dataset : datasets.get(p)) {
                group.add(HeaderMessages.link(dataset.name(), end(body)));
                long address = end == 0 ? 0 : dataset.area().offset();
                body.bytes(align(dataset.header(address)));
            }
            root.add(HeaderMessages.link(parts.get(p).group(), end(body)));
            body.bytes(align(HeaderMessages.objectHeader(group)));
        }
        long rootAddress = end(body);
        body.bytes(align(HeaderMessages.objectHeader(root)));
        return new MetadataBuffer()
                .bytes(HeaderMessages.superblock(end, rootAddress))
                .bytes(body.done())
                .done();
    }

    /** Where the next header begins, behind the superblock and those before it. */
    private static long end(MetadataBuffer headers) {
        return (long) HeaderMessages.SUPERBLOCK_BYTES + headers.size();
    }

    private static byte[] align(byte[] bytes) {
        return java.util.Arrays.copyOf(bytes, Math.toIntExact(LittleEndian.align(bytes.length, 8)));
    }

    private List<Run> cutRuns() {
        var runs = new ArrayList<Run>();
        runs.add(Run.frame(0, head.length));
        for (Area area : areas) {
            for (Run run : area.runs()) {
                runs.add(run);
                areaOfRun.add(area);
            }
        }
        return runs;
    }

    @Override
    public PlanOutline outline() {
        return outline;
    }

    @Override
    public void fill(int number, RunWriter out) {
        if (number == 0) {
            out.put(head);
        } else {
            areaOfRun.get(number - 1).fill(run(number), out);
        }
    }
}
