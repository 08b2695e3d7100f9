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
            notes.add("The containers total " + Sizes.human(containerBytes) + ", and the machine has "
                    + Sizes.human(machine.memoryBytes()) + " of memory: reads meant to hit memory may hit storage. Use"
                    + " fewer samples or fewer formats.");
        }
        if (settings.stream().anyMatch(Setting::cold)) {
            notes.add(
                    "Cold: before every pass, the system drops the files' contents from its cache. It keeps the names,"
                            + " sizes and locations of files, which only root can drop, and the caches of the disk or file"
                            + " server. Loose files therefore look better here than on a cold start.");
        }
        return notes;
    }
}
