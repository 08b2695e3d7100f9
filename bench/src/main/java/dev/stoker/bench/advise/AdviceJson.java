package dev.stoker.bench.advise;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A survey for programs: names end with their units. */
public final class AdviceJson {
    private AdviceJson() {}

    /** What was seen. */
    public static Map<String, @Nullable Object> seen(DataSurvey seen) {
        var values = new LinkedHashMap<String, @Nullable Object>();
        values.put("samples", seen.samples());
        values.put("folders", seen.folders());
        values.put("listed_all", seen.isAll());
        values.put("looked_at", seen.sampled());
        values.put("bytes", seen.bytes());
        values.put("size_min", seen.sizes().smallest());
        values.put("size_p50", seen.sizes().median());
        values.put("size_p99", seen.sizes().p99());
        values.put("size_max", seen.sizes().largest());
        var kinds = new LinkedHashMap<String, @Nullable Object>();
        seen.kinds().forEach((kind, count) -> kinds.put(kind.name().toLowerCase(Locale.ROOT), count));
        values.put("kinds", kinds);
        values.put("array_type", seen.arrayType());
        values.put("duplicates", seen.duplicates());
        values.put("compressed_part", Double.isNaN(seen.remains()) ? null : seen.remains());
        values.put("unreadable", seen.problems().count());
        values.put("first_unreadable", seen.problems().first());
        DataSurvey.Pictures pictures = seen.pictures();
        if (pictures != null) {
            values.put("picture_width", pictures.width());
            values.put("picture_height", pictures.height());
        }
        DataSurvey.ContainerFacts container = seen.container();
        if (container != null) {
            values.put("format", container.format());
            values.put("fields", container.fields());
            values.put("has_index", container.hasIndex());
            values.put("compressed_blocks", container.blocks());
            values.put("stored_bytes", container.storedBytes());
        }
        return values;
    }

    /** What was measured; what could not be is left out. */
    public static Map<String, @Nullable Object> measured(StorageTrial measured) {
        var values = new LinkedHashMap<String, @Nullable Object>();
        StorageTrial.Metadata metadata = measured.metadata();
        if (metadata != null) {
            values.put("open_p50_us", metadata.medianMicros());
            values.put("open_p99_us", metadata.p99Micros());
            values.put("opens_per_s", metadata.one());
            values.put("opens_per_s_many", metadata.many());
        }
        StorageTrial.Reads reads = measured.reads();
        if (reads != null) {
            values.put("reads_per_s", reads.one().reads());
            values.put("read_bytes_per_s", reads.one().bytes());
            values.put("reads_per_s_many", reads.many().reads());
            values.put("read_bytes_per_s_many", reads.many().bytes());
            values.put("reads_per_s_again", reads.again().reads());
            values.put("sequential_bytes_per_s", reads.sequential());
            values.put("cold", reads.isCold());
        }
        StorageTrial.Packed packed = measured.packed();
        if (packed != null) {
            values.put("packed_samples_per_s", packed.samples());
            values.put("loose_samples_per_s", packed.loose());
            values.put("packed_samples", packed.tried());
        }
        values.put("many", StorageTrial.MANY);
        values.put("notes", measured.notes());
        return values;
    }

    /** What the allocation has. */
    public static Map<String, @Nullable Object> node(NodeFacts node) {
        var values = new LinkedHashMap<String, @Nullable Object>();
        values.put("cores", node.cores());
        values.put("memory_free_bytes", node.memoryBytes());
        values.put("memory_limit", node.memoryLimit());
        NodeFacts.LocalDisk local = node.local();
        values.put("local", local == null ? null : local.path());
        values.put("local_filesystem", local == null ? null : local.filesystem());
        values.put("local_free_bytes", local == null ? null : local.freeBytes());
        values.put("local_problem", node.localProblem().isEmpty() ? null : node.localProblem());
        values.put("can_mount", node.mountRefusal() == null);
        values.put("filesystem", node.dataFilesystem());
        values.put("lustre", node.isLustre());
        return values;
    }

    /** What is chosen. */
    public static Map<String, @Nullable Object> picks(Advice.Picks picks) {
        var values = new LinkedHashMap<String, @Nullable Object>();
        values.put("format", picks.format());
        values.put("write", picks.isNew());
        values.put("compression", picks.codec().isEmpty() ? null : picks.codec());
        values.put("fixed_length", picks.isFixed());
        values.put("via", picks.via().name());
        values.put("read", picks.read().name().toLowerCase(Locale.ROOT));
        values.put("workers", picks.threads());
        values.put("ahead", picks.ahead());
        values.put("batch", picks.batch());
        values.put("times_loose_files", picks.factor() > 0 ? picks.factor() : null);
        return values;
    }

    /** Choices with their reasons. */
    public static List<Map<String, @Nullable Object>> points(List<Advice.Point> points) {
        var all = new ArrayList<Map<String, @Nullable Object>>();
        for (Advice.Point point : points) {
            var values = new LinkedHashMap<String, @Nullable Object>();
            values.put("topic", point.topic());
            values.put("choice", point.choice());
            values.put("reason", point.reason());
            all.add(values);
        }
        return all;
    }

    /** The commands in their order. */
    public static List<Map<String, @Nullable Object>> commands(List<Advice.Command> commands) {
        var all = new ArrayList<Map<String, @Nullable Object>>();
        for (Advice.Command command : commands) {
            var values = new LinkedHashMap<String, @Nullable Object>();
            values.put("purpose", command.purpose());
            values.put("command", command.line());
            all.add(values);
        }
        return all;
    }
}
