package dev.stoker.formats.tar;

import dev.stoker.StokerException;
import dev.stoker.index.Placement;
import dev.stoker.io.Checksum;
import dev.stoker.json.Json;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which member of a sample holds which field. A function of the schema alone, so that whoever has the schema can take
 * an archive apart by counting members.
 *
 * @param key the field that names the main file, or -1: then it is named by the sample's number
 * @param data the field that is the main file, or -1: then the main file is empty
 * @param label the field in {@code STEM.cls}, or -1
 * @param json the fields in {@code STEM.json}
 * @param members the fields that are members of their own: {@code STEM.FIELD}, or {@code STEM.FIELD.npy} for arrays
 */
record TarLayout(Schema schema, int key, int data, int label, List<Integer> json, List<Integer> members) {
    static final String CLASS_SUFFIX = "cls";
    static final String JSON_SUFFIX = "json";
    static final String NPY_SUFFIX = "npy";

    private static final String COMMENT = "STOKER.schema=";
    private static final int CHECKSUM_DIGITS = 8;

    static TarLayout of(Schema schema) {
        int key = -1;
        int data = -1;
        int label = -1;
        var json = new ArrayList<Integer>();
        var members = new ArrayList<Integer>();
        for (int f = 0; f < schema.size(); f++) {
            FieldType type = schema.type(f);
            String name = schema.fields().get(f).name();
            boolean isMember = isMember(type);
            if (name.equals(Field.KEY) && type instanceof FieldType.Text) {
                key = f;
            } else if (name.equals(Field.DATA) && (isMember || type instanceof FieldType.Text)) {
                data = f;
            } else if (name.equals(Field.LABEL) && isInteger(type)) {
                label = f;
            } else if (isMember) {
                members.add(f);
            } else {
                json.add(f);
            }
        }
        var layout = new TarLayout(schema, key, data, label, List.copyOf(json), List.copyOf(members));
        layout.requireDistinctSuffixes();
        return layout;
    }

    private static boolean isMember(FieldType type) {
        return type instanceof FieldType.Bytes || isArray(type);
    }

    private static boolean isArray(FieldType type) {
        return type instanceof FieldType.Tensor || type instanceof FieldType.Array;
    }

    private static boolean isInteger(FieldType type) {
        return type instanceof FieldType.Scalar(DType dtype) && dtype.isInteger();
    }

    /** Whether a field's member is a {@code .npy} file. */
    boolean isNpy(int field) {
        return field >= 0 && isArray(schema.type(field));
    }

    /** The extension of a member that holds one field. */
    String suffix(int field) {
        String name = schema.fields().get(field).name();
        return isNpy(field) ? name + "." + NPY_SUFFIX : name;
    }

    /** The extensions of all members of a sample behind its main file, in their order. */
    List<String> suffixes() {
        var suffixes = new ArrayList<String>();
        if (label >= 0) {
            suffixes.add(CLASS_SUFFIX);
        }
        if (!json.isEmpty()) {
            suffixes.add(JSON_SUFFIX);
        }
        members.forEach(f -> suffixes.add(suffix(f)));
        return suffixes;
    }

    private void requireDistinctSuffixes() {
        var seen = new HashMap<String, String>();
        for (String suffix : suffixes()) {
            String other = seen.put(suffix.toLowerCase(Locale.ROOT), suffix);
            if (other != null) {
                throw new StokerException("format tar would give two members of every sample the extension '" + suffix
                        + "'" + (other.equals(suffix) ? "" : " (WebDataset does not tell it from '" + other + "')")
                        + "; rename a field with --name");
            }
            if (suffix.indexOf('/') >= 0 || suffix.indexOf(0) >= 0) {
                throw new StokerException("format tar cannot hold the field '" + suffix
                        + "': its name becomes part of a file's name; rename it with --name");
            }
        }
    }

    /** Bytes and arrays lie in the archive as they are; everything else is text there. */
    List<Placement> placements() {
        var placements = new ArrayList<Placement>();
        for (int f = 0; f < schema.size(); f++) {
            boolean stored = f == data || members.contains(f);
            placements.add(
                    stored
                            ? Placement.stored()
                            : Placement.indexed(schema.type(f).isFixed()));
        }
        return placements;
    }

    /** The comment that stands at the beginning of the archive. */
    byte[] comment(long samples) {
        var fields = new ArrayList<Map<String, @Nullable Object>>();
        for (Field field : schema.fields()) {
            var entry = new LinkedHashMap<String, @Nullable Object>();
            entry.put("name", field.name());
            entry.put("type", field.type().label());
            fields.add(entry);
        }
        var comment = new LinkedHashMap<String, @Nullable Object>();
        comment.put("samples", samples);
        comment.put("fields", fields);
        comment.put("classes", schema.classes());
        String json = Json.write(comment);
        return (COMMENT + checksum(json) + " " + json).getBytes(StandardCharsets.UTF_8);
    }

    private static String checksum(String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().toHexDigits(Checksum.of(MemorySegment.ofArray(bytes)));
    }

    /** What a comment of Stoker's says. */
    record Comment(long samples, TarLayout layout) {}

    /** Reads a comment; null if it is not one of Stoker's, a {@link StokerException} if it is but says nonsense. */
    static @Nullable Comment ofComment(byte[] text) {
        String comment = new String(text, StandardCharsets.UTF_8);
        if (!comment.startsWith(COMMENT)) {
            return null;
        }
        String json = comment.substring(Math.min(comment.length(), COMMENT.length() + CHECKSUM_DIGITS + 1));
        if (!comment.equals(COMMENT + checksum(json) + " " + json)) {
            throw new StokerException("its checksum does not match");
        }
        if (!(Json.parse(json, "STOKER.schema") instanceof Map<?, ?> map)
                || !(map.get("samples") instanceof Long samples)
                || samples < 0
                || !(map.get("fields") instanceof List<?> list)
                || !(map.get("classes") instanceof List<?> names)) {
            throw new StokerException("it should have samples, fields and classes");
        }
        var fields = new ArrayList<Field>();
        for (Object entry : list) {
            if (!(entry instanceof Map<?, ?> field)
                    || !(field.get("name") instanceof String name)
                    || !(field.get("type") instanceof String type)) {
                throw new StokerException("every field should have a name and a type");
            }
            fields.add(new Field(name, FieldType.of(type)));
        }
        var classes = new ArrayList<String>();
        for (Object name : names) {
            if (!(name instanceof String className)) {
                throw new StokerException("every class should be a name");
            }
            classes.add(className);
        }
        return new Comment(samples, of(new Schema(fields, classes)));
    }
}
