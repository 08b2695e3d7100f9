package dev.stoker.formats.hdf5.structure;

import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.format.FormatOptions;
import dev.stoker.formats.hdf5.Hdf5Format;
import dev.stoker.text.Spelling;
import java.util.List;
import java.util.Locale;

/** How values of any length are laid out. */
public enum VlenLayout {
    /** As sequences in the global heap. */
    VLEN,
    /** One after another in one dataset, with another one that says where each begins. */
    CSR,
    /** As rows of one dataset: all have to have the same length. */
    FIXED;

    /** Its name, as a person gives it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The layout that the attribute of a file names. */
    public static VlenLayout named(String place, String name) {
        for (VlenLayout layout : values()) {
            if (layout.label().equals(name)) {
                return layout;
            }
        }
        throw new StokerException(place, "expected layout vlen, csr or fixed but found " + name);
    }

    public static VlenLayout of(FormatOptions options) {
        String name = options.setting(Hdf5Format.LAYOUT);
        return switch (name) {
            case null -> VLEN;
            case "vlen" -> VLEN;
            case "csr" -> CSR;
            case "fixed" -> FIXED;
            default ->
                throw new UsageException("--" + Hdf5Format.LAYOUT + " should be vlen, csr or fixed but is '" + name
                        + "'" + Spelling.hint(name, List.of("vlen", "csr", "fixed")));
        };
    }
}
