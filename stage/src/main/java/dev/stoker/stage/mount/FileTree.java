package dev.stoker.stage.mount;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.format.TreeKeys;
import dev.stoker.os.Posix;
import dev.stoker.sample.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A container as a tree of files: each sample is a file with its key as path and its data as content; samples without
 * keys are named by their number. Nodes are numbered from 0: the folders, of which 0 is the root, then the samples.
 *
 * <p>Names of files stay in the container. A folder's entries take 12 bytes of memory each: their order, in which they
 * are listed (that of the samples, so that who reads all reads forward), and a hash by which they are looked up.
 */
final class FileTree {
    static final int ROOT = 0;
    static final int NOTHING = -1;

    private final Container container;
    private final int key;
    private final int data;
    private final int samples;
    private final List<byte[]> folderNames = new ArrayList<>();
    private final List<Integer> folderParents = new ArrayList<>();
    /** Where the entries of each folder begin; one more than there are folders. */
    private final int[] starts;

    private final int[] listed;
    /** For each entry its name's hash in the upper half, its node in the lower; sorted within each folder. */
    private final long[] hashed;

    FileTree(Container container) {
        this.container = container;
        this.key = container.schema().find(Field.KEY);
        this.data = dataField(container);
        if (container.count() > Integer.MAX_VALUE / 2) {
            throw new StokerException(
                    container.path(), "has " + container.count() + " samples; at most 1,073,741,823 can be mounted");
        }
        this.samples = (int) container.count();
        if (key >= 0) {
            TreeKeys.requireTree("folder", container, key);
        }
        int[] parents = findFolders();
        this.starts = countEntries(parents);
        this.listed = new int[starts[folders()]];
        this.hashed = new long[listed.length];
        place(parents);
    }

    /** The field that is a file's content. */
    private static int dataField(Container container) {
        int field = container.schema().find(Field.DATA);
        if (field < 0) {
            throw new StokerException(
                    container.path(),
                    "has no field 'data' that could be the content of files" + "; its fields are "
                            + container.schema().fields());
        }
        return field;
    }

    /** Finds all folders, and the one of each sample. */
    private int[] findFolders() {
        folderNames.add(new byte[0]);
        folderParents.add(ROOT);
        var known = new HashMap<String, Integer>(Map.of("", ROOT));
        var parents = new int[samples];
        byte[] lastPath = {};
        int last = ROOT;
        for (int i = 0; i < samples && key >= 0; i++) {
            byte[] path = bytes(i);
            int end = lastSlash(path);
            // Samples of one folder mostly follow each other.
            if (!Arrays.equals(path, 0, end, lastPath, 0, lastPath.length)) {
                lastPath = Arrays.copyOf(path, end);
                last = folder(new String(lastPath, StandardCharsets.UTF_8), known);
            }
            parents[i] = last;
        }
        return parents;
    }

    /** The number of a folder; it and those above it get one if they have none. Not recursive: a key may be deep. */
    private int folder(String path, Map<String, Integer> known) {
        int end = path.length();
        while (!known.containsKey(path.substring(0, end))) {
            end = Math.max(0, path.lastIndexOf('/', end - 1));
        }
        int folder = known.getOrDefault(path.substring(0, end), ROOT);
        while (end < path.length()) {
            int start = end == 0 ? 0 : end + 1;
            int slash = path.indexOf('/', start);
            end = slash < 0 ? path.length() : slash;
            folderNames.add(path.substring(start, end).getBytes(StandardCharsets.UTF_8));
            folderParents.add(folder);
            folder = folderNames.size() - 1;
            known.put(path.substring(0, end), folder);
        }
        return folder;
    }

    private int[] countEntries(int[] parents) {
        var ends = new int[folders() + 1];
        for (int folder = 1; folder < folders(); folder++) {
            ends[folderParents.get(folder) + 1]++;
        }
        for (int parent : parents) {
            ends[parent + 1]++;
        }
        for (int folder = 0; folder < folders(); folder++) {
            ends[folder + 1] += ends[folder];
        }
        return ends;
    }

    private void place(int[] parents) {
        int[] next = Arrays.copyOf(starts, folders());
        for (int folder = 1; folder < folders(); folder++) {
            listed[next[folderParents.get(folder)]++] = folder;
        }
        for (int i = 0; i < samples; i++) {
            listed[next[parents[i]]++] = folders() + i;
        }
        for (int i = 0; i < listed.length; i++) {
            hashed[i] = hash(name(listed[i])) | listed[i];
        }
        for (int folder = 0; folder < folders(); folder++) {
            Arrays.sort(hashed, starts[folder], starts[folder + 1]);
        }
    }

    /** In the upper half of the result. */
    private static long hash(byte[] name) {
        int hash = 0x811c9dc5;
        for (byte b : name) {
            hash = (hash ^ (b & 0xff)) * 0x01000193;
        }
        return (long) hash << 32;
    }

    private byte[] bytes(int sample) {
        return container.value(sample, key).toArray(ValueLayout.JAVA_BYTE);
    }

    private static int lastSlash(byte[] path) {
        int at = path.length - 1;
        while (at >= 0 && path[at] != '/') {
            at--;
        }
        return Math.max(at, 0);
    }

    int folders() {
        return folderNames.size();
    }

    int nodes() {
        return folders() + samples;
    }

    boolean isFolder(int node) {
        return node < folders();
    }

    /** The folder that a folder is in; of the root, itself. */
    int parent(int folder) {
        return folderParents.get(folder);
    }

    byte[] name(int node) {
        if (isFolder(node)) {
            return folderNames.get(node);
        }
        int sample = node - folders();
        if (key < 0) {
            return String.format(Locale.ROOT, "%09d.bin", sample).getBytes(StandardCharsets.US_ASCII);
        }
        byte[] path = bytes(sample);
        int slash = lastSlash(path);
        return slash == 0 ? path : Arrays.copyOfRange(path, slash + 1, path.length);
    }

    /** How many entries a folder has. */
    int entries(int folder) {
        return starts[folder + 1] - starts[folder];
    }

    /** The node of one of a folder's entries. */
    int entry(int folder, int number) {
        return listed[starts[folder] + number];
    }

    /** The node of a name in a folder, or {@link #NOTHING}. */
    int find(int folder, byte[] name) {
        long hash = hash(name);
        int low = starts[folder];
        int high = starts[folder + 1];
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (hashed[middle] < hash) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        for (int i = low; i < starts[folder + 1] && (hashed[i] & -1L << 32) == hash; i++) {
            int node = (int) hashed[i];
            if (Arrays.equals(name(node), name)) {
                return node;
            }
        }
        return NOTHING;
    }

    /** Bytes of a file. */
    long size(int node) {
        return container.length(node - folders(), data);
    }

    /** The content of a file; valid as long as the container is open. */
    MemorySegment content(int node) {
        return container.value(node - folders(), data);
    }

    /**
     * Whether a file's content has the checksum from packing; true also if it has none. It will be read now, so all of
     * it is asked for at once: page by page a parallel filesystem would be waited for many times.
     */
    boolean isIntact(int node) {
        MemorySegment content = content(node);
        if (content.isNative() && content.byteSize() > 0) {
            Posix.advise(content, 0, content.byteSize(), Posix.Advice.WILL_NEED);
        }
        return container.isIntact(node - folders(), data);
    }
}
