package dev.stoker.formats.tar;

import dev.stoker.StokerException;
import dev.stoker.sample.Npy;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A member that is a {@code .npy} file whose elements can be used where they lie. */
final class NpyMember {
    /** More than any header of numbers needs. */
    private static final int HEAD_BYTES = 64 << 10;

    private NpyMember() {}

    /** Whether an extension says so. */
    static boolean isName(String extension) {
        return extension.equals(TarLayout.NPY_SUFFIX) || extension.endsWith("." + TarLayout.NPY_SUFFIX);
    }

    /** Its header; null if it is none, or has another byte order, another order of elements or another length. */
    static @Nullable Npy read(MemorySegment file, long offset, long size) {
        try {
            Npy npy = Npy.parse(file.asSlice(offset, Math.min(size, HEAD_BYTES)), "npy");
            boolean usable =
                    !npy.bigEndian() && (!npy.fortranOrder() || npy.shape().length <= 1) && npy.fileLength() == size;
            return usable ? npy : null;
        } catch (StokerException e) {
            return null;
        }
    }
}
