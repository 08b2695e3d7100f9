package dev.stoker.format;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.os.FileProbe;
import dev.stoker.text.Spelling;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The formats that are there: {@code stk}, and those that other modules register as services. */
@PublicApi
public final class Formats {
    private static final List<Format> ALL = load();

    private Formats() {}

    private static List<Format> load() {
        var formats = new ArrayList<Format>();
        formats.add(new StkFormat());
        ServiceLoader.load(Format.class).forEach(formats::add);
        formats.sort(Comparator.comparing(Format::name));
        return List.copyOf(formats);
    }

    public static List<Format> all() {
        return ALL;
    }

    /** The format of this name or, if there is none, the one that files with this ending have. */
    public static Format named(String name) {
        for (Format format : ALL) {
            if (format.name().equals(name)) {
                return format;
            }
        }
        for (Format format : ALL) {
            if (format.extensions().contains(name)) {
                return format;
            }
        }
        List<String> known = ALL.stream().map(Format::name).toList();
        throw new UsageException(
                "unknown format '" + name + "'; available formats: " + names() + Spelling.hint(name, known));
    }

    /** The format that a new container's name asks for. */
    public static Format forOutput(Path path) {
        Format found = byEnding(path);
        if (found != null) {
            return found;
        }
        throw new UsageException(
                path,
                "unknown file extension; give --format, one of " + names() + ", or use an extension such as .stk");
    }

    private static @Nullable Format byEnding(Path path) {
        String name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
        Format found = null;
        int longest = 0;
        for (Format format : ALL) {
            for (String extension : format.extensions()) {
                // Of .zarr.zip and .zip the longer one says more.
                if (extension.length() > longest && name.endsWith("." + extension)) {
                    found = format;
                    longest = extension.length();
                }
            }
        }
        return found;
    }

    /** The format of an existing file, by its bytes; null if none knows it. */
    public static @Nullable Format of(Path path, MemorySegment head) {
        Format found = null;
        for (Format format : ALL) {
            // A folder of loose files, which has no ending, is what no other format knows.
            boolean isLast = format.extensions().isEmpty();
            if ((found == null || !isLast) && format.matches(path, head)) {
                found = format;
                if (!isLast) {
                    break;
                }
            }
        }
        return found;
    }

    /** The file that is the container: the path itself, or the one in a folder that a format keeps its samples in. */
    public static Path fileOf(Path path) {
        if (FileProbe.isFolder(path)) {
            for (Format format : ALL) {
                Path file = format.fileIn(path);
                if (file != null) {
                    return file;
                }
            }
        }
        return path;
    }

    /** Whether no format but that of loose files knows a folder by what is in it. */
    public static boolean isLoose(Path folder) {
        Format found = of(folder, MemorySegment.NULL);
        return found == null || found.extensions().isEmpty();
    }

    /**
     * Refuses a folder that its name says to be a container, since it is not whole: its parts must not be taken for
     * samples.
     */
    public static void refuseNamed(Path folder) {
        Format named = byEnding(folder);
        if (named != null && isFolder(named, folder)) {
            throw new StokerException(
                    folder,
                    "should be a container of format " + named.name()
                            + ", as its extension says, but its first file is missing; pack it again, or rename the folder"
                            + " if its files are samples");
        }
    }

    /** Whether a container of this name is a folder. */
    private static boolean isFolder(Format format, Path path) {
        return !format.can(Capability.SINGLE_FILE)
                || !format.fileFor(path, FormatOptions.NONE).equals(path);
    }

    public static String names() {
        return ALL.stream().map(Format::name).collect(Collectors.joining(", "));
    }
}
