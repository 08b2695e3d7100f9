package dev.stoker.formats.shared.array;

import dev.stoker.sample.Omissions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Attributes that say how the values of an array are to be understood, by the conventions of netCDF that xarray follows
 * too. Stoker delivers values as they are stored, so it tells of these attributes instead of applying them.
 */
public final class ValueAttributes {
    public static final List<String> NAMES = List.of(
            "scale_factor",
            "add_offset",
            "_FillValue",
            "missing_value",
            "valid_range",
            "valid_min",
            "valid_max",
            "_Unsigned",
            "units");

    private static final int LONGEST = 60;

    private ValueAttributes() {}

    /**
     * Tells of the attributes of an array of which some change what its values mean.
     *
     * @param attributes by their names, each as people write it
     */
    public static void tell(String path, Map<String, String> attributes, Omissions omissions) {
        var told = new StringJoiner(", ");
        for (String name : NAMES) {
            String value = attributes.get(name);
            if (value != null && !isNeutral(name, value)) {
                told.add((name + " " + shown(value)).strip());
            }
        }
        if (told.length() > 0) {
            omissions.add(path, told.toString(), "these attributes are not applied, the values are as stored");
        }
    }

    /** Whether an attribute leaves values as they are: a factor of 1, or NaN for what is missing, which it is anyway. */
    private static boolean isNeutral(String name, String value) {
        return switch (name) {
            case "scale_factor" -> number(value) == 1;
            case "add_offset" -> number(value) == 0;
            case "_FillValue", "missing_value" -> value.equals("NaN");
            case "_Unsigned" -> !value.toLowerCase(Locale.ROOT).equals("true");
            case "units" -> value.isBlank();
            default -> false;
        };
    }

    private static double number(String value) {
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** In one line, and not too long a one. */
    public static String shown(String value) {
        String line = value.replaceAll("\\p{Cntrl}+", " ").strip();
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
    }
}
