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
import org.jspecify.annotations.Nullable;

/** Tells the format of a file by what it begins with. */
public final class FormatDetector {
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
            throw new StokerException(
                    path,
                    "is in no format that Stoker knows (" + Formats.names() + "); it begins with "
                            + HexFormat.ofDelimiter(" ").formatHex(first));
        }
        return format;
    }
}
