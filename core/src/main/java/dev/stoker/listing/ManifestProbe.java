package dev.stoker.listing;

import dev.stoker.remote.RemotePath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Finds manifests among the files of a folder: tables and JSON directly in it that name several of its files. */
final class ManifestProbe {
    private static final List<String> ENDINGS = List.of(".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".psv", ".txt");
    /** A folder with more such files than this is a data set of them. */
    private static final int MOST_CANDIDATES = 16;

    private static final int HEAD_BYTES = 1 << 16;
    private static final Pattern BETWEEN_WORDS = Pattern.compile("[\",;|\\t\\r\\n{}\\[\\]]|: ");

    private final Path root;
    private final ListedValues names;

    private ManifestProbe(Path root, ListedValues names) {
        this.root = root;
        this.names = names;
    }

    /** The numbers of the manifests among files whose names are sorted. */
    static Set<Long> find(Path root, ListedValues names) {
        var candidates = new TreeSet<Long>();
        for (long i = 0; i < names.count() && candidates.size() <= MOST_CANDIDATES; i++) {
            if (isCandidate(text(names, i))) {
                candidates.add(i);
            }
        }
        if (candidates.size() > MOST_CANDIDATES) {
            return Set.of();
        }
        var probe = new ManifestProbe(root, names);
        candidates.removeIf(number -> !probe.namesFiles(text(names, number)));
        return candidates;
    }

    private static boolean isCandidate(String path) {
        boolean isTop = path.indexOf('/') < 0;
        return isTop && ENDINGS.stream().anyMatch(path.toLowerCase(Locale.ROOT)::endsWith);
    }

    private static String text(ListedValues names, long number) {
        return new String(names.get(number), StandardCharsets.UTF_8);
    }

    private boolean namesFiles(String name) {
        String above = root.getFileName() + "/";
        var found = new HashSet<String>();
        for (String word : BETWEEN_WORDS.split(head(name))) {
            String path = word.strip();
            path = path.startsWith("./") ? path.substring(2) : path;
            boolean isOther = !path.isEmpty() && !path.equals(name);
            if (isOther && (has(path) || (path.startsWith(above) && has(path.substring(above.length()))))) {
                found.add(path);
            }
        }
        // What tells of one picture alone, such as its annotation, is a sample like any other.
        return found.size() >= Math.min(2, names.count() - 1) && !found.isEmpty();
    }

    private String head(String name) {
        try (InputStream in =
                Files.newInputStream(root instanceof RemotePath remote ? remote.below(name) : root.resolve(name))) {
            return new String(in.readNBytes(HEAD_BYTES), StandardCharsets.UTF_8);
        } catch (IOException | InvalidPathException e) {
            return ""; // the listing says what is wrong with it
        }
    }

    private boolean has(String path) {
        byte[] wanted = path.getBytes(StandardCharsets.UTF_8);
        long low = 0;
        long high = names.count() - 1;
        while (low <= high) {
            long middle = (low + high) >>> 1;
            int order = Arrays.compareUnsigned(names.get(middle), wanted);
            if (order == 0) {
                return true;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return false;
    }
}
