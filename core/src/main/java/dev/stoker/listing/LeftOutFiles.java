package dev.stoker.listing;

import dev.stoker.PublicApi;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.LongAdder;

/** How much of a source was left out, and why. What is in a folder that was left out is not counted. */
@PublicApi
public final class LeftOutFiles {
    private final LongAdder hiddenFiles = new LongAdder();
    private final LongAdder hiddenFolders = new LongAdder();
    private final LongAdder indexes = new LongAdder();
    private final LongAdder excludedFiles = new LongAdder();
    private final LongAdder excludedFolders = new LongAdder();
    private final ConcurrentSkipListSet<String> hiddenClasses = new ConcurrentSkipListSet<>();
    private final ConcurrentSkipListSet<String> manifests = new ConcurrentSkipListSet<>();

    LeftOutFiles() {}

    void addHiddenFile() {
        hiddenFiles.increment();
    }

    void addHiddenFolder(String name, boolean isTop) {
        hiddenFolders.increment();
        if (isTop) {
            hiddenClasses.add(name);
        }
    }

    void addHiddenClass(String name) {
        hiddenClasses.add(name);
    }

    void addIndex() {
        indexes.increment();
    }

    void addExcludedFile() {
        excludedFiles.increment();
    }

    void addExcludedFolder() {
        excludedFolders.increment();
    }

    void addManifest(String name) {
        manifests.add(name);
    }

    /** Hidden folders directly below the source, sorted: torchvision's ImageFolder takes them for classes. */
    public List<String> hiddenClasses() {
        return List.copyOf(hiddenClasses);
    }

    public boolean isEmpty() {
        return counts().isEmpty();
    }

    /** What was left out, by kind; only what there is. */
    public Map<String, Object> counts() {
        var counts = new LinkedHashMap<String, Object>();
        put(counts, "hidden_files", hiddenFiles);
        put(counts, "hidden_folders", hiddenFolders);
        put(counts, "index_files", indexes);
        if (!manifests.isEmpty()) {
            counts.put("manifests", List.copyOf(manifests));
        }
        put(counts, "excluded_files", excludedFiles);
        put(counts, "excluded_folders", excludedFolders);
        return counts;
    }

    private static void put(Map<String, Object> counts, String name, LongAdder count) {
        if (count.sum() > 0) {
            counts.put(name, count.sum());
        }
    }

    /** The same in words; empty if nothing was left out. */
    public String describe() {
        var words = new ArrayList<String>();
        add(words, hiddenFiles, "hidden file");
        add(words, hiddenFolders, "hidden folder");
        add(words, indexes, "Index file");
        if (!manifests.isEmpty()) {
            words.add((manifests.size() == 1 ? "the manifest " : "the manifests ") + String.join(", ", manifests));
        }
        if (!words.isEmpty()) {
            words.add(words.removeLast() + " (--hidden takes them)");
        }
        int usual = words.size();
        add(words, excludedFiles, "file");
        add(words, excludedFolders, "folder");
        if (words.size() > usual) {
            words.add(words.removeLast() + " by --include and --exclude");
        }
        return String.join(", ", words);
    }

    private static void add(List<String> words, LongAdder count, String what) {
        if (count.sum() > 0) {
            words.add(String.format(Locale.ROOT, "%,d %s", count.sum(), what) + (count.sum() == 1 ? "" : "s"));
        }
    }
}
