package dev.stoker.write;

import dev.stoker.StokerException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a process says when it has filled its share.
 *
 * @param resumed how many runs an earlier try had filled
 * @param edges the name of its file in {@link PartialFiles#makeEdges}; empty if it has none
 */
record ShareResult(int resumed, String edges) {
    static final ShareResult NOTHING = new ShareResult(0, "");

    private static final Pattern TEXT = Pattern.compile("(\\d{1,9}) ([0-9a-f]{0,16})");

    /** As one rank tells another. */
    String text() {
        return resumed + " " + edges;
    }

    static ShareResult parse(String text) {
        Matcher found = TEXT.matcher(text);
        if (!found.matches()) {
            throw new StokerException("a rank reported \"" + text
                    + "\" as the result of its share; all ranks should run the same version of stoker");
        }
        return new ShareResult(Integer.parseInt(found.group(1)), found.group(2));
    }
}
