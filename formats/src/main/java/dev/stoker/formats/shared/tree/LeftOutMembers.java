package dev.stoker.formats.shared.tree;

import dev.stoker.sample.JunkNames;
import dev.stoker.sample.Omissions;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts the members of an archive that aren't samples: what desktops left behind, links, and what holds no bytes. */
public final class LeftOutMembers {
    private static final String JUNK = "desktops leave these behind, and no data set means them";
    private static final String LINK =
            "a link has no bytes of its own and may lead out of the archive; archive the files"
                    + " that the links lead to instead";
    private static final String SPECIAL = "only regular files can be samples";

    private final Map<String, Long> junk = new TreeMap<>();
    private long links;
    private long specials;

    /** Whether a file is junk by its name; if so, it is counted. */
    public boolean takesJunk(byte[] path) {
        @Nullable String kind = JunkNames.kind(path);
        if (kind == null) {
            return false;
        }
        junk.merge(kind, 1L, Long::sum);
        return true;
    }

    /** Counts a symbolic link. */
    public void addLink() {
        links++;
    }

    /** Counts a device, a pipe or a socket. */
    public void addSpecial() {
        specials++;
    }

    /** One omission for each kind. */
    public Omissions tell() {
        var omissions = new Omissions();
        tell(omissions);
        return omissions;
    }

    /** Adds one omission for each kind. */
    public void tell(Omissions to) {
        junk.forEach((kind, count) -> to.add(kind, counted(count, "file"), JUNK));
        if (links > 0) {
            to.add("symbolic links", counted(links, "member"), LINK);
        }
        if (specials > 0) {
            to.add("devices and pipes", counted(specials, "member"), SPECIAL);
        }
    }

    private static String counted(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
