package dev.stoker.listing;

import dev.stoker.PublicApi;
import dev.stoker.sample.JunkNames;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Which files below a folder are samples, and what was left out so far. What is chosen depends on the files alone, so that
 * all ranks, the tasks of a Spark job and a later comparison list the same.
 *
 * <p>Left out is what desktops, notebooks and version control leave behind: whatever has a name that begins with a dot,
 * {@code Thumbs.db}, {@code desktop.ini}, {@code __MACOSX}, an Index ({@code NAME.stkx}), and a manifest directly in
 * the folder.
 */
@PublicApi
public final class SourceFilter {
    private static final byte[] INDEX_ENDING = bytes(".stkx");

    private final boolean takesHidden;
    private final List<PathGlob> include;
    private final List<PathGlob> exclude;
    private final LeftOutFiles leftOut = new LeftOutFiles();
    private final ConcurrentSkipListSet<String> notes = new ConcurrentSkipListSet<>();
    private volatile OddFiles odd = OddFiles.NONE;

    private SourceFilter(boolean takesHidden, List<PathGlob> include, List<PathGlob> exclude) {
        this.takesHidden = takesHidden;
        this.include = include;
        this.exclude = exclude;
    }

    private static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }

    /** Leaves out what is left out as a rule, and nothing else. */
    public static SourceFilter usual() {
        return of(false, List.of(), List.of());
    }

    /** Takes every file. */
    public static SourceFilter everything() {
        return of(true, List.of(), List.of());
    }

    /**
     * Chooses by patterns of paths.
     *
     * @param takesHidden whether hidden files, and what else is left out as a rule, are taken
     * @param include if there are any, a file matches one of them
     * @param exclude a file or folder that matches one of them is left out
     */
    public static SourceFilter of(boolean takesHidden, List<String> include, List<String> exclude) {
        return new SourceFilter(
                takesHidden,
                include.stream().map(PathGlob::new).toList(),
                exclude.stream().map(PathGlob::new).toList());
    }

    /** Whether it has patterns, or takes what is left out as a rule: that is for folders of files alone. */
    public boolean isChosen() {
        return takesHidden || !include.isEmpty() || !exclude.isEmpty();
    }

    /** What was left out so far. */
    public LeftOutFiles leftOut() {
        return leftOut;
    }

    /** Remembers what was found out about a source and should be said. */
    public void note(String sentence) {
        notes.add(sentence);
    }

    /** What was found out about the source and should be said, sorted. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** The samples of the folder that was listed last that do not look like its others. */
    public OddFiles oddFiles() {
        return odd;
    }

    void lookAt(ListedFiles files) {
        odd = OddFiles.of(files);
    }

    /** Whether something is left out by its name, whatever folder it is in. */
    boolean isHidden(byte[] name) {
        if (takesHidden) {
            return false;
        }
        return name[0] == '.' || isIndex(name) || JunkNames.isJunk(name);
    }

    private static boolean isIndex(byte[] name) {
        int from = name.length - INDEX_ENDING.length;
        return from >= 0 && Arrays.equals(name, from, name.length, INDEX_ENDING, 0, INDEX_ENDING.length);
    }

    /** Remembers something that {@link #isHidden}. */
    void leaveOutHidden(byte[] parent, byte[] name, boolean isFolder) {
        if (isFolder) {
            leftOut.addHiddenFolder(text(name), parent.length == 0);
        } else if (name[0] != '.' && isIndex(name)) {
            leftOut.addIndex();
        } else {
            leftOut.addHiddenFile();
        }
    }

    /** Whether a folder is looked into; if not, that is remembered. */
    boolean entersFolder(byte[] path) {
        if (exclude.isEmpty() || !matches(exclude, text(path))) {
            return true;
        }
        leftOut.addExcludedFolder();
        return false;
    }

    /** Whether a file is a sample; if not, that is remembered. */
    boolean takesFile(byte[] path) {
        if (include.isEmpty() && exclude.isEmpty()) {
            return true;
        }
        String name = text(path);
        if ((include.isEmpty() || matches(include, name)) && !matches(exclude, name)) {
            return true;
        }
        leftOut.addExcludedFile();
        return false;
    }

    /** The same for a whole path, none of whose folders was looked at before. */
    boolean takes(byte[] path) {
        for (int from = 0; from < path.length; ) {
            int slash = from;
            while (slash < path.length && path[slash] != '/') {
                slash++;
            }
            byte[] name = Arrays.copyOfRange(path, from, slash);
            boolean isFolder = slash < path.length;
            if (name.length > 0 && isHidden(name)) {
                leaveOutHidden(Arrays.copyOf(path, from), name, false);
                if (isFolder && from == 0) {
                    leftOut.addHiddenClass(text(name));
                }
                return false;
            }
            if (isFolder && !exclude.isEmpty() && matches(exclude, text(Arrays.copyOf(path, slash)))) {
                leftOut.addExcludedFile();
                return false;
            }
            from = slash + 1;
        }
        return takesFile(path);
    }

    /** The numbers of the manifests among sorted names, which are left out; that is remembered. */
    Set<Long> manifests(Path root, ListedValues names) {
        Set<Long> found = takesHidden ? Set.of() : ManifestProbe.find(root, names);
        found.forEach(number -> leftOut.addManifest(text(names.get(number))));
        return found;
    }

    private static boolean matches(List<PathGlob> globs, String path) {
        return globs.stream().anyMatch(glob -> glob.matches(path));
    }

    private static String text(byte[] name) {
        return new String(name, StandardCharsets.UTF_8);
    }
}
