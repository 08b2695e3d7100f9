package dev.stoker.formats.shared.array;

import dev.stoker.StokerException;
import dev.stoker.format.FormatOptions;
import dev.stoker.sample.Field;
import dev.stoker.sample.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the arrays of the fields are called in a container. */
public final class DiskNames {
    /** Names that courses and their scripts give, where nobody asks for others. */
    public static final Map<String, String> USUAL = Map.of(Field.DATA, "images", Field.LABEL, "targets");

    private final List<String> values = new ArrayList<>();
    private final List<String> offsets = new ArrayList<>();
    private final List<String> shapes = new ArrayList<>();

    public DiskNames(String format, Schema schema, FormatOptions options) {
        Set<String> taken = new HashSet<>();
        for (Field field : schema.fields()) {
            taken.add(options.nameOf(field.name()));
        }
        for (Field field : schema.fields()) {
            String asked = options.nameOf(field.name());
            String usual = USUAL.getOrDefault(field.name(), asked);
            boolean isFree = !options.names().containsKey(field.name()) && taken.add(usual);
            values.add(checked(format, isFree ? usual : asked, "field '" + field.name() + "'"));
        }
        if (new HashSet<>(values).size() < values.size()) {
            throw new StokerException("format " + format + " cannot give two fields one name; they would be " + values);
        }
        for (String name : values) {
            offsets.add(free(name + "_offsets", taken));
            shapes.add(free(name + "_shape", taken));
        }
    }

    /** Names that are taken for a path or the group itself are refused. */
    public static String checked(String format, String name, String what) {
        if (name.isEmpty() || name.equals(".") || name.indexOf('/') >= 0 || name.indexOf('\0') >= 0) {
            throw new StokerException("format " + format + " cannot name " + what + " '" + name
                    + "': a name there is not empty, is not '.' and has neither '/' nor NUL in it"
                    + (what.startsWith("field") ? "; give another with --name" : ""));
        }
        return name;
    }

    private static String free(String wanted, Set<String> taken) {
        String name = wanted;
        while (!taken.add(name)) {
            name += "_";
        }
        return name;
    }

    public String values(int field) {
        return values.get(field);
    }

    /** The dataset that says where each value begins. */
    public String offsets(int field) {
        return offsets.get(field);
    }

    /** The dataset that says which shape each value has. */
    public String shapes(int field) {
        return shapes.get(field);
    }
}
