package dev.stoker.listing;

import dev.stoker.PublicApi;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Samples of a folder that do not look like the others: empty files, and those of another type where at least two thirds have
 * one. They are samples nevertheless; a file's type is what its name says.
 *
 * @param usual what the others are
 */
@PublicApi
public record OddFiles(String usual, Group empty, Group otherType) {
    private static final int MOST_EXAMPLES = 3;
    private static final String PICTURES = "pictures";
    private static final Set<String> PICTURE_ENDINGS =
            Set.of("jpg", "jpeg", "jpe", "jfif", "png", "bmp", "gif", "tif", "tiff", "webp", "ppm", "pgm");

    /** How many there are, and the first of them. */
    public record Group(long count, List<String> examples) {
        static final Group NONE = new Group(0, List.of());

        private String describe() {
            return String.join(", ", examples) + (count > examples.size() ? ", …" : "");
        }
    }

    /** For a source that has none. */
    static final OddFiles NONE = new OddFiles("", Group.NONE, Group.NONE);

    static OddFiles of(ListedFiles files) {
        var counts = new HashMap<String, Long>();
        long empty = 0;
        for (long i = 0; i < files.count(); i++) {
            counts.merge(type(files.names().get(i)), 1L, Long::sum);
            empty += files.length(i) == 0 ? 1 : 0;
        }
        String usual = counts.entrySet().stream()
                .filter(type -> 3 * type.getValue() >= 2 * files.count())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
        long others = usual.isEmpty() ? 0 : files.count() - counts.getOrDefault(usual, 0L);
        var emptyExamples = new ArrayList<String>();
        var otherExamples = new ArrayList<String>();
        for (long i = 0; empty + others > 0 && i < files.count(); i++) {
            byte[] name = files.names().get(i);
            if (files.length(i) == 0 && emptyExamples.size() < MOST_EXAMPLES) {
                emptyExamples.add(text(name));
            }
            if (others > 0
                    && otherExamples.size() < MOST_EXAMPLES
                    && !type(name).equals(usual)) {
                otherExamples.add(text(name));
            }
        }
        return new OddFiles(usual, new Group(empty, emptyExamples), new Group(others, otherExamples));
    }

    private static String text(byte[] name) {
        return new String(name, StandardCharsets.UTF_8);
    }

    private static String type(byte[] path) {
        int dot = path.length;
        while (dot > 0 && path[dot - 1] != '.' && path[dot - 1] != '/') {
            dot--;
        }
        if (dot == 0 || path[dot - 1] == '/') {
            return "files without an extension";
        }
        String ending = new String(path, dot, path.length - dot, StandardCharsets.UTF_8).toLowerCase(Locale.ROOT);
        return PICTURE_ENDINGS.contains(ending) ? PICTURES : "." + ending + " files";
    }

    /** One line for each kind that there is. */
    public List<String> describe() {
        var lines = new ArrayList<String>();
        if (empty.count() > 0) {
            lines.add(counted(empty.count()) + " empty: " + empty.describe() + check());
        }
        if (otherType.count() > 0) {
            lines.add(counted(otherType.count()) + " not " + usual + " as the rest are: " + otherType.describe()
                    + "; --exclude leaves them out");
        }
        return lines;
    }

    private String check() {
        return usual.equals(PICTURES)
                ? "; --check-images --skip-bad leaves out what cannot be decoded"
                : "; --exclude leaves them out";
    }

    private static String counted(long count) {
        return count == 1 ? "1 file is" : String.format(Locale.ROOT, "%,d files are", count);
    }

    /** The same for programs; only what there is. */
    public Map<String, Object> counts() {
        var counts = new LinkedHashMap<String, Object>();
        put(counts, "empty", empty);
        put(counts, "other_type", otherType);
        return counts;
    }

    private static void put(Map<String, Object> counts, String name, Group group) {
        if (group.count() > 0) {
            var one = new LinkedHashMap<String, Object>();
            one.put("count", group.count());
            one.put("examples", group.examples());
            counts.put(name, one);
        }
    }
}
