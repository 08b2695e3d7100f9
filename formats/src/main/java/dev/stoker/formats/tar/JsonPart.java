package dev.stoker.formats.tar;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.io.MappedFile;
import dev.stoker.json.Json;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields in the members {@code .json}, if all samples have the same ones and each is of one type. Otherwise nothing
 * is taken apart, so that nothing is lost: the whole document is the field {@code json}.
 */
record JsonPart(MappedFile file, TarMembers members, List<Field> fields) implements ForeignPart {
    private static final int MAX_BYTES = 1 << 20;
    private static final int MAX_FIELDS = 256;
    /** Up to here a double holds every integer. */
    private static final long EXACT = 1L << 53;

    /**
     * Looks through all documents.
     *
     * @param taken names of other fields
     */
    static ForeignPart of(
            MappedFile file, TarMembers members, MemberGroups groups, BitSet extensions, Set<String> taken) {
        var scan = new Scan();
        for (long g = 0; g < groups.count() && scan.isJson; g++) {
            long member = groups.find(g, extensions);
            if (member < 0) {
                scan.isUniform = false;
            } else {
                scan.add(document(file, members, member));
            }
        }
        List<Field> fields = scan.fields(taken);
        if (fields != null) {
            return new JsonPart(file, members, fields);
        }
        FieldType whole = scan.isJson ? new FieldType.Text() : new FieldType.Bytes();
        return new StoredPart(file, members, new Field(TarLayout.JSON_SUFFIX, whole));
    }

    /** What the documents have in common. */
    private static final class Scan {
        boolean isJson = true;
        boolean isUniform = true;
        private @Nullable Map<String, FieldType> types;
        /** Names of integers that a double would not hold. */
        private final Set<String> wide = new HashSet<>();

        void add(@Nullable Map<?, ?> object) {
            if (object == null) {
                isJson = false;
                return;
            }
            if (!isUniform) {
                return;
            }
            var found = new LinkedHashMap<String, FieldType>();
            for (var entry : object.entrySet()) {
                FieldType type = type(entry.getValue());
                String name = String.valueOf(entry.getKey());
                if (type == null || object.size() > MAX_FIELDS) {
                    isUniform = false;
                    return;
                }
                if (entry.getValue() instanceof Long number && (number > EXACT || number < -EXACT)) {
                    wide.add(name);
                }
                found.put(name, type);
            }
            Map<String, FieldType> before = types;
            types = before == null ? found : before;
            isUniform = before == null || merge(before, found);
        }

        private static boolean merge(Map<String, FieldType> all, Map<String, FieldType> found) {
            if (!all.keySet().equals(found.keySet())) {
                return false;
            }
            for (var entry : found.entrySet()) {
                FieldType before = all.get(entry.getKey());
                if (isNumber(before) && isNumber(entry.getValue())) {
                    all.put(entry.getKey(), isFloat(before) ? before : entry.getValue());
                } else if (!entry.getValue().equals(before)) {
                    return false;
                }
            }
            return true;
        }

        @Nullable
        List<Field> fields(Set<String> taken) {
            Map<String, FieldType> found = types;
            if (!isJson || !isUniform || found == null) {
                return null;
            }
            for (var entry : found.entrySet()) {
                if (entry.getKey().isEmpty()
                        || taken.contains(entry.getKey())
                        || (isFloat(entry.getValue()) && wide.contains(entry.getKey()))) {
                    return null;
                }
            }
            return found.entrySet().stream()
                    .map(entry -> new Field(entry.getKey(), entry.getValue()))
                    .toList();
        }
    }

    private static @Nullable FieldType type(@Nullable Object value) {
        return switch (value) {
            case Long number -> new FieldType.Scalar(DType.INT64);
            case Double number -> new FieldType.Scalar(DType.FLOAT64);
            case Boolean bool -> new FieldType.Scalar(DType.BOOL);
            case String text -> new FieldType.Text();
            case List<?> list when list.stream().allMatch(String.class::isInstance) -> new FieldType.Texts();
            case null, default -> null;
        };
    }

    private static boolean isNumber(@Nullable FieldType type) {
        return type instanceof FieldType.Scalar(DType dtype) && dtype != DType.BOOL;
    }

    private static boolean isFloat(@Nullable FieldType type) {
        return type instanceof FieldType.Scalar(DType dtype) && dtype.isFloat();
    }

    /** The object in a member; null if there is none. */
    private static @Nullable Map<?, ?> document(MappedFile file, TarMembers members, long member) {
        if (members.size(member) > MAX_BYTES) {
            return null;
        }
        byte[] text = file.bytes()
                .asSlice(members.offset(member), members.size(member))
                .toArray(ValueLayout.JAVA_BYTE);
        try {
            return Json.parse(text, TarLayout.JSON_SUFFIX) instanceof Map<?, ?> object ? object : null;
        } catch (StokerException e) {
            return null;
        }
    }

    @Override
    public Placement placement(Field field) {
        return Placement.indexed(field.type().isFixed());
    }

    @Override
    public void add(long member, IndexBuilder builder, int field) {
        Map<?, ?> object = document(file, members, member);
        for (int i = 0; i < fields.size(); i++) {
            FieldType type = fields.get(i).type();
            Object value = object == null ? null : object.get(fields.get(i).name());
            if (isFloat(type) && value instanceof Long number) {
                value = number.doubleValue();
            }
            byte[] bytes = JsonFields.decode(type, value);
            if (bytes == null) {
                throw new CorruptContainerException(
                        file.name(), members.offset(member), "the file changed while it was being read");
            }
            builder.value(field + i, MemorySegment.ofArray(bytes));
        }
    }
}
