package dev.stoker.cli.output;

import dev.stoker.format.Format;
import dev.stoker.format.Formats;

/** Formats by the names that users type. */
public final class FormatNames {
    private FormatNames() {}

    /** The format of this name, or a failure that suggests the nearest one. */
    public static Format parse(String name) {
        return Spelling.orSuggest(name, Formats.all().stream().map(Format::name).toList(), () -> Formats.named(name));
    }
}
