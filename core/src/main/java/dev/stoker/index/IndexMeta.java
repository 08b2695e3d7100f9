package dev.stoker.index;

import dev.stoker.StokerException;
import dev.stoker.json.Json;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Omission;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The META section: what the samples are, as JSON.
 *
 * <pre>
 * {"format": "tar",
 *  "fields": [{"name": "data", "type": "bytes", "place": "file", "dense": false, "base": -1, "checksums": true}, ...],
 *  "splits": [{"name": "train", "first": 0, "count": 1281167}, ...],
 *  "classes": ["n01440764", ...],
 *  "omissions": [{"name": "price", "what": "column of decimal", "why": "fields have no such type"}, ...]}
 * </pre>
 *
 * @param format the name of the container's format
 * @param placements one for each field of the schema
 * @param blocks how blocks are decoded, for containers that have some
 * @param omissions what a container written by other software holds and no field delivers; not written if there is nothing
 */
public record IndexMeta(
        String format,
        Schema schema,
        List<Split> splits,
        List<Placement> placements,
        BlockMeta blocks,
        List<Omission> omissions) {
    public IndexMeta(String format, Schema schema, List<Split> splits, List<Placement> placements) {
        this(format, schema, splits, placements, BlockMeta.NONE);
    }

    public IndexMeta(String format, Schema schema, List<Split> splits, List<Placement> placements, BlockMeta blocks) {
        this(format, schema, splits, placements, blocks, List.of());
    }

    public IndexMeta {
        splits = List.copyOf(splits);
        placements = List.copyOf(placements);
        omissions = List.copyOf(omissions);
        if (placements.size() != schema.size()) {
            throw new StokerException(schema.size() + " fields need as many placements, not " + placements.size());
        }
        requireKeyOfTrees(schema, placements);
    }

    /** Values that are files are found by their sample's key, so that must be had without them. */
    private static void requireKeyOfTrees(Schema schema, List<Placement> placements) {
        int key = schema.find(Field.KEY);
        boolean isFindable = key >= 0
                && schema.type(key) instanceof FieldType.Text
                && placements.get(key).place() != Placement.Place.TREE;
        if (!isFindable && placements.stream().anyMatch(p -> p.place() == Placement.Place.TREE)) {
            throw new StokerException("samples in files of their own need a field 'key' of text that is in none");
        }
    }

    /** Whether a section's bytes have checksums value by value, so that the section itself has none. */
    boolean checksumsCover(Section section) {
        return section.kind() == Section.Kind.DATA
                || (section.kind() == Section.Kind.VALUES
                        && placements.get(section.field()).checksums());
    }

    boolean hasBlocks() {
        return placements.stream().anyMatch(p -> p.place() == Placement.Place.BLOCKS);
    }

    /** The section as text; {@link #ofJson} reads it. */
    public String toJson() {
        var fields = new ArrayList<Map<String, @Nullable Object>>();
        for (int i = 0; i < schema.size(); i++) {
            Placement placement = placements.get(i);
            var field = new LinkedHashMap<String, @Nullable Object>();
            field.put("name", schema.fields().get(i).name());
            field.put("type", schema.type(i).label());
            field.put("place", placement.place().label());
            field.put("dense", placement.dense());
            field.put("base", placement.base());
            field.put("checksums", placement.checksums());
            fields.add(field);
        }
        var parts = new ArrayList<Map<String, @Nullable Object>>();
        for (Split split : splits) {
            var part = new LinkedHashMap<String, @Nullable Object>();
            part.put("name", split.name());
            part.put("first", split.first());
            part.put("count", split.count());
            parts.add(part);
        }
        var meta = new LinkedHashMap<String, @Nullable Object>();
        meta.put("format", format);
        meta.put("fields", fields);
        meta.put("splits", parts);
        meta.put("classes", schema.classes());
        blocks.toJson(meta);
        if (!omissions.isEmpty()) {
            meta.put("omissions", omissions.stream().map(IndexMeta::json).toList());
        }
        return Json.write(meta);
    }

    private static Map<String, @Nullable Object> json(Omission omission) {
        var entry = new LinkedHashMap<String, @Nullable Object>();
        entry.put("name", omission.name());
        entry.put("what", omission.what());
        entry.put("why", omission.why());
        return entry;
    }

    /** Reads what {@link #toJson} wrote; anything else is a {@link StokerException}. */
    public static IndexMeta ofJson(String file, byte[] json, long samples) {
        try {
            Map<?, ?> meta = as(Map.class, Json.parse(json, file));
            var fields = new ArrayList<Field>();
            var placements = new ArrayList<Placement>();
            for (Object entry : as(List.class, meta.get("fields"))) {
                Map<?, ?> field = as(Map.class, entry);
                FieldType type = FieldType.of(as(String.class, field.get("type")));
                fields.add(new Field(as(String.class, field.get("name")), type));
                placements.add(placement(field, type));
            }
            var splits = new ArrayList<Split>();
            for (Object entry : as(List.class, meta.get("splits"))) {
                Map<?, ?> split = as(Map.class, entry);
                splits.add(new Split(
                        as(String.class, split.get("name")),
                        as(Long.class, split.get("first")),
                        as(Long.class, split.get("count"))));
            }
            var classes = new ArrayList<String>();
            for (Object name : as(List.class, meta.get("classes"))) {
                classes.add(as(String.class, name));
            }
            return new IndexMeta(
                    as(String.class, meta.get("format")),
                    new Schema(fields, classes),
                    Split.checked(splits, samples),
                    placements,
                    BlockMeta.ofJson(meta),
                    omissions(meta.get("omissions")));
        } catch (ClassCastException e) {
            throw new StokerException("a value has the wrong type: " + e.getMessage(), e);
        }
    }

    private static List<Omission> omissions(@Nullable Object entries) {
        var omissions = new ArrayList<Omission>();
        for (Object entry : entries == null ? List.of() : as(List.class, entries)) {
            Map<?, ?> omission = as(Map.class, entry);
            omissions.add(new Omission(
                    as(String.class, omission.get("name")),
                    as(String.class, omission.get("what")),
                    as(String.class, omission.get("why"))));
        }
        return omissions;
    }

    private static Placement placement(Map<?, ?> field, FieldType type) {
        String label = as(String.class, field.get("place"));
        boolean dense = as(Boolean.class, field.get("dense"));
        if (dense && !type.isFixed()) {
            throw new StokerException("a field of type " + type.label() + " cannot be dense");
        }
        for (Placement.Place place : Placement.Place.values()) {
            if (place.label().equals(label)) {
                return new Placement(
                        place, dense, as(Long.class, field.get("base")), as(Boolean.class, field.get("checksums")));
            }
        }
        throw new StokerException("unknown place '" + label + "'");
    }

    static <T> T as(Class<T> type, @Nullable Object value) {
        if (!type.isInstance(value)) {
            throw new ClassCastException("expected " + type.getSimpleName() + " but found " + value);
        }
        return type.cast(value);
    }
}
