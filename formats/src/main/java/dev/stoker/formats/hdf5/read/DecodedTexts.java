package dev.stoker.formats.hdf5.read;

import dev.stoker.formats.hdf5.structure.DatasetHeader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Texts that the file does not hold as they are: they are decoded once, into the Index. */
public final class DecodedTexts {
    /** More is not worth keeping twice. */
    private static final long MAX_BYTES = 256 << 20;

    private DecodedTexts() {}

    /** Room for a row that has to be decoded; a dataset that is too large for that is refused. */
    static MemorySegment buffer(DatasetRows rows) {
        DatasetHeader dataset = rows.dataset();
        long total = Math.multiplyExact(rows.count(), Math.max(1, rows.bytes()));
        requireSmall(dataset, total);
        return MemorySegment.ofArray(new byte[(int) rows.bytes()]);
    }

    /** Room for a row of references, which are looked up one after another wherever they lie. */
    static MemorySegment references(DatasetRows rows) {
        requireSmall(rows.dataset(), rows.bytes());
        return MemorySegment.ofArray(new byte[(int) rows.bytes()]);
    }

    static void requireSmall(DatasetHeader dataset, long total) {
        if (total > MAX_BYTES) {
            throw dataset.file()
                    .unsupported(
                            dataset.label() + " has texts that do not lie in the file as they are (compressed, or never"
                                    + " written), and with " + total
                                    + " bytes is too large to be kept a second time; store it uncompressed: h5repack -f NONE IN OUT");
        }
    }

    /** Big-endian numbers become little-endian. */
    public static void turn(MemorySegment numbers, int bytes) {
        for (long at = 0; at < numbers.byteSize(); at += bytes) {
            for (int i = 0; i < bytes / 2; i++) {
                byte low = numbers.get(ValueLayout.JAVA_BYTE, at + i);
                numbers.set(ValueLayout.JAVA_BYTE, at + i, numbers.get(ValueLayout.JAVA_BYTE, at + bytes - 1 - i));
                numbers.set(ValueLayout.JAVA_BYTE, at + bytes - 1 - i, low);
            }
        }
    }
}
