package dev.stoker.bench.advise;

import dev.stoker.StokerException;
import dev.stoker.image.ImageException;
import dev.stoker.image.jpeg.JpegDecoder;
import dev.stoker.image.jpeg.JpegHeader;
import dev.stoker.io.Checksum;
import dev.stoker.sample.Npy;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What some files hold: their kinds, arrays, pictures, and whether some are the same. */
final class Contents {
    private static final int MOST_PICTURES = 64;
    private static final long MOST_PICTURE_BYTES = 16 << 20;
    /** What is read to tell whether files that begin alike are alike. */
    private static final long MOST_COMPARED_BYTES = 32L << 20;

    private Contents() {}

    static Map<DataKind, Integer> kinds(List<FileLook.Look> files) {
        var kinds = new EnumMap<DataKind, Integer>(DataKind.class);
        files.forEach(file -> kinds.merge(DataKind.of(file.head()), 1, Integer::sum));
        return kinds;
    }

    /**
     * The type of arrays of one element type and number of dimensions; null if the files are not that. Packing decides by
     * the same rules, and by all files.
     */
    static @Nullable String arrayType(List<FileLook.Look> files) {
        Npy first = null;
        boolean isFixed = true;
        for (FileLook.Look file : files) {
            Npy header = header(file);
            if (header == null) {
                return null;
            }
            if (first == null) {
                first = header;
            } else if (header.dtype() != first.dtype() || header.shape().length != first.shape().length) {
                return null;
            }
            isFixed &= Arrays.equals(header.shape(), first.shape());
        }
        if (first == null || first.shape().length == 0) {
            return first == null ? null : first.dtype().label();
        }
        String[] dimensions = new String[first.shape().length];
        for (int i = 0; i < dimensions.length; i++) {
            dimensions[i] = isFixed ? Long.toString(first.shape()[i]) : "*";
        }
        return first.dtype().label() + "[" + String.join(",", dimensions) + "]";
    }

    private static @Nullable Npy header(FileLook.Look file) {
        if (DataKind.of(file.head()) != DataKind.NPY
                || !new String(file.name(), StandardCharsets.ISO_8859_1).endsWith(".npy")) {
            return null;
        }
        try {
            Npy header = Npy.parse(file.head(), "");
            boolean isCanonical = !header.bigEndian()
                    && !(header.fortranOrder() && header.shape().length > 1)
                    && header.fileLength() == file.size();
            return isCanonical ? header : null;
        } catch (StokerException | ArithmeticException e) {
            return null;
        }
    }

    /** The sizes of some JPEGs and PNGs; null if there are none that can be read. */
    static DataSurvey.@Nullable Pictures pictures(Path root, List<FileLook.Look> files, Deadline deadline) {
        var widths = new ArrayList<Integer>();
        var heights = new ArrayList<Integer>();
        int plain = 0;
        var decoder = new JpegDecoder();
        for (FileLook.Look file : files) {
            if (widths.size() == MOST_PICTURES || deadline.isOver()) {
                break;
            }
            DataKind kind = DataKind.of(file.head());
            if (kind == DataKind.PNG && file.head().length >= 24) {
                widths.add(bigEndian(file.head(), 16));
                heights.add(bigEndian(file.head(), 20));
            } else if (kind == DataKind.JPEG && file.size() < MOST_PICTURE_BYTES) {
                try {
                    byte[] whole = Files.readAllBytes(path(root, file));
                    JpegHeader header = decoder.read(MemorySegment.ofArray(whole));
                    widths.add(header.width());
                    heights.add(header.height());
                    plain += header.restartInterval() == 0 && !header.progressive() ? 1 : 0;
                } catch (IOException | ImageException e) {
                    // The others tell enough.
                }
            }
        }
        return widths.isEmpty()
                ? null
                : new DataSurvey.Pictures(median(widths), median(heights), (double) plain / widths.size());
    }

    private static int median(List<Integer> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static int bigEndian(byte[] bytes, int at) {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            value = value << 8 | bytes[at + i] & 0xff;
        }
        return value;
    }

    /** How many files have the content of one before them: the same size, beginning and checksum. */
    static int duplicates(Path root, List<FileLook.Look> files, Deadline deadline) {
        var alike = new HashMap<List<Long>, List<FileLook.Look>>();
        for (FileLook.Look file : files) {
            if (file.size() > 0) {
                alike.computeIfAbsent(List.of(file.size(), NameSample.hash(file.head())), _ -> new ArrayList<>())
                        .add(file);
            }
        }
        int found = 0;
        long compared = 0;
        for (List<FileLook.Look> group : alike.values()) {
            if (group.size() == 1) {
                continue;
            }
            boolean isWhole = group.getFirst().size() <= FileLook.HEAD_BYTES;
            compared += isWhole ? 0 : group.getFirst().size() * group.size();
            if (isWhole) {
                found += group.size() - 1;
            } else if (compared <= MOST_COMPARED_BYTES && !deadline.isOver()) {
                found += group.size() - differing(root, group);
            }
        }
        return found;
    }

    /** How many contents there are in a group; a file that cannot be read counts as one of its own. */
    private static int differing(Path root, List<FileLook.Look> group) {
        Set<Integer> checksums = new HashSet<>();
        int unread = 0;
        for (FileLook.Look file : group) {
            try {
                checksums.add(Checksum.of(MemorySegment.ofArray(Files.readAllBytes(path(root, file)))));
            } catch (IOException e) {
                unread++;
            }
        }
        return checksums.size() + unread;
    }

    static Path path(Path root, FileLook.Look file) {
        return root.resolve(new String(file.name(), StandardCharsets.UTF_8));
    }
}
