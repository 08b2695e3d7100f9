package dev.stoker.formats.zarr.read;

import dev.stoker.formats.shared.array.ValueAttributes;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The attributes of an array that say how its values are to be understood. */
final class ArrayAttributes {
    private static final int FLOAT64_BASE64 = 12;

    private ArrayAttributes() {}

    /** @param json the object of all attributes; whatever else it is has none of them */
    static Map<String, String> of(@Nullable Object json) {
        var found = new LinkedHashMap<String, String>();
        if (json instanceof Map<?, ?> all) {
            for (String name : ValueAttributes.NAMES) {
                if (all.get(name) != null) {
                    found.put(name, shown(all.get(name)));
                }
            }
        }
        return found;
    }

    /** In Zarr 3, xarray writes floats that stand for missing values as Base64 of a float64. */
    private static String shown(Object value) {
        String text = String.valueOf(value);
        if (!(value instanceof String) || text.length() != FLOAT64_BASE64 || !text.endsWith("=")) {
            return text;
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            return String.valueOf(
                    Double.longBitsToDouble(MemorySegment.ofArray(bytes).get(LittleEndian.U64, 0)));
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
