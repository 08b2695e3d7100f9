package dev.stoker.manifest;

import dev.stoker.listing.SourceFilter;
import dev.stoker.os.FileProbe;
import dev.stoker.remote.RemotePath;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the paths of a manifest are relative to: the source, the folder above it, or the manifest's own. The first path that
 * leads to a file tells, in this order; keys are relative to the source in any case.
 */
final class ManifestBase {
    /** So many paths that lead nowhere are tried; then they are taken as relative to the source, and are missing there. */
    private static final int MOST_TRIES = 100;

    private final Path root;
    private final Path manifest;
    private final SourceFilter filter;
    private int tries;
    private @Nullable Kind found;

    private enum Kind {
        SOURCE,
        PARENT,
        MANIFEST
    }

    ManifestBase(Path root, Path manifest, SourceFilter filter) {
        this.root = root;
        this.manifest = manifest;
        this.filter = filter;
    }

    /** The path of a row relative to the source, if the row leads below it; else as it is. */
    String key(String path) {
        if (found == null && tries < MOST_TRIES) {
            tries++;
            found = find(path);
        }
        String key = found == null ? null : resolved(path, found);
        return key == null ? path : key;
    }

    /** Whether a text is the path of a file, whatever it is relative to. */
    boolean isFile(String path) {
        return find(path) != null;
    }

    private @Nullable Kind find(String path) {
        for (Kind kind : Kind.values()) {
            String key = resolved(path, kind);
            if (key != null && exists(key)) {
                if (kind != Kind.SOURCE) {
                    filter.note("paths in " + manifest + " are relative to "
                            + (kind == Kind.PARENT ? "the folder above the source" : "the manifest's folder") + ": '"
                            + path
                            + "' is the sample '" + key + "'");
                }
                return kind;
            }
        }
        return null;
    }

    /** The same path relative to the source; null if it does not lead below it. */
    private @Nullable String resolved(String path, Kind kind) {
        if (path.isEmpty() || path.startsWith("/") || path.indexOf('\0') >= 0) {
            return null;
        }
        return switch (kind) {
            case SOURCE -> List.of(path.split("/")).contains("..") ? null : path;
            case PARENT -> below(path, List.of());
            case MANIFEST -> belowManifest(path);
        };
    }

    private @Nullable String belowManifest(String path) {
        Path folder = manifest.toAbsolutePath().normalize().getParent();
        Path above = root.toAbsolutePath().normalize().getParent();
        if (root instanceof RemotePath || manifest instanceof RemotePath || folder == null || above == null) {
            return null;
        }
        if (!folder.startsWith(above)) {
            return null;
        }
        return below(path, List.of(above.relativize(folder).toString().split("/")));
    }

    /** A path that begins in a folder below the one above the source. */
    private @Nullable String below(String path, List<String> folder) {
        var parts = new ArrayDeque<String>();
        for (String part : folder) {
            if (!part.isEmpty()) {
                parts.add(part);
            }
        }
        for (String part : path.split("/", -1)) {
            if (part.equals("..")) {
                if (parts.pollLast() == null) {
                    return null;
                }
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.add(part);
            }
        }
        boolean isBelow = parts.size() > 1 && parts.getFirst().equals(name());
        return isBelow ? String.join("/", parts.stream().skip(1).toList()) : null;
    }

    /** The name of the source's folder, even where it is given as a dot. */
    private String name() {
        Path folder = root instanceof RemotePath ? root : root.toAbsolutePath().normalize();
        return String.valueOf(folder.getFileName());
    }

    private boolean exists(String key) {
        try {
            Path file = root instanceof RemotePath remote ? remote.below(key) : root.resolve(key);
            return FileProbe.exists(file) && !FileProbe.isFolder(file);
        } catch (InvalidPathException e) {
            return false; // the locale cannot write it; what is relative to the source is found all the same
        }
    }
}
