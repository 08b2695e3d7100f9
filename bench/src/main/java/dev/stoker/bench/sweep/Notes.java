package dev.stoker.bench.sweep;

import dev.stoker.text.Sizes;
import java.util.ArrayList;
import java.util.List;

/** What a reader of the figures has to know. */
final class Notes {
    private Notes() {}

    static List<String> of(long containerBytes, Machine machine, List<Setting> settings) {
        var notes = new ArrayList<String>();
        boolean warm = settings.stream().anyMatch(setting -> !setting.cold());
        if (warm && containerBytes > machine.memoryBytes() * 3 / 4) {
            notes.add("The containers have " + Sizes.human(containerBytes) + " together and the machine "
                    + Sizes.human(machine.memoryBytes()) + " of memory: what should come from memory may come from"
                    + " storage. Take fewer samples or fewer formats.");
        }
        if (settings.stream().anyMatch(Setting::cold)) {
            notes.add("Cold: before every pass the system drops the files' contents from its memory. Names, sizes and"
                    + " places of files stay there, since only root can drop them, and so does what a disk or a file"
                    + " server keeps itself. So loose files look better here than they are after a start.");
        }
        return notes;
    }
}
