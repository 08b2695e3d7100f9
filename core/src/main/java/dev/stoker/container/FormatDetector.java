package dev.stoker.container;

import dev.stoker.StokerException;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import dev.stoker.io.MappedFile;
import dev.stoker.remote.RemoteObject;
import dev.stoker.remote.RemotePath;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells the format of a file by what it begins with. */
public final class FormatDetector {
    /** What files begin with, in hexadecimal digits, that a program of these names compressed. */
    private static final Map<String, String> COMPRESSIONS = Map.of(
            "1f8b08", "gzip",
            "28b52ffd", "zstd",
            "425a68", "bzip2",
            "fd377a585a00", "xz",
            "04224d18", "lz4");

    private FormatDetector() {}

    /** Whether a file is in a format that Stoker knows. */
    public static boolean isKnown(MappedFile file) {
        return Formats.of(file.path(), file.bytes().asSlice(0, Math.min(Format.HEAD_BYTES, file.size()))) != null;
    }

    /** The format of an object on remote storage; null if Stoker does not know it. */
    public static @Nullable Format of(RemotePath path, RemoteObject object) {
        byte[] head = new byte[(int) Math.min(Format.HEAD_BYTES, object.size())];
        path.read(object, 0, MemorySegment.ofArray(head));
        return Formats.of(path, MemorySegment.ofArray(head));
    }

    /** The format of a file, or an error that says what it begins with. */
    public static Format of(MappedFile file) {
        return of(file.path(), file.bytes().asSlice(0, Math.min(Format.HEAD_BYTES, file.size())));
    }

    static Format of(Path path, MemorySegment head) {
        Format format = Formats.of(path, head);
        if (format == null) {
            byte[] first = head.asSlice(0, Math.min(8, head.byteSize())).toArray(ValueLayout.JAVA_BYTE);
            String compression = compression(first);
            if (compression != null) {
                throw new StokerException(
                        path,
                        "is compressed with " + compression
                                + " as a whole, so no sample can be found in it; decompress it"
                                + (compression.equals("gzip") || compression.equals("zstd")
                                        ? ", or pack it: stoker pack decompresses gzip and zstd"
                                        : ""));
            }
            throw new StokerException(
                    path,
                    "is in no format that Stoker knows (" + Formats.names() + "); it begins with "
                            + HexFormat.ofDelimiter(" ").formatHex(first));
        }
        return format;
    }

    /** What compressed a file, by its first bytes; null if nothing that is known by them did. */
    private static @Nullable String compression(byte[] first) {
        String hex = HexFormat.of().formatHex(first);
        for (Map.Entry<String, String> known : COMPRESSIONS.entrySet()) {
            if (hex.startsWith(known.getKey())) {
                return known.getValue();
            }
        }
        return null;
    }
}
