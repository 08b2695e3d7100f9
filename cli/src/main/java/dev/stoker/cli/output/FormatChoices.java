package dev.stoker.cli.output;

import dev.stoker.format.Capability;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import java.util.Iterator;

/** The formats that a container can be written in, for help and completion. */
public final class FormatChoices implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
        return Formats.all().stream()
                .filter(format -> format.can(Capability.WRITE))
                .map(Format::name)
                .iterator();
    }
}
