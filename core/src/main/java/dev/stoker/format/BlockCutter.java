package dev.stoker.format;

import dev.stoker.StokerException;
import dev.stoker.sample.Samples;
import dev.stoker.text.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The settings by which samples are compressed, and the cutting into blocks of about one size. */
public final class BlockCutter {
    /** The setting that names a codec. */
    public static final String COMPRESSION = "compression";
    /** The setting of how many bytes make a block. */
    public static final String BLOCK = "block";

    private static final long DEFAULT_BYTES = 1 << 20;
    private static final String NOTHING = "none";

    private BlockCutter() {}

    /** The codec that the options ask for, one of those that a format takes; null if they ask for none. */
    public static @Nullable String codec(String format, Options options, Set<String> known) {
        String codec = options.setting(COMPRESSION);
        if (codec == null || codec.equals(NOTHING)) {
            return null;
        }
        if (!known.contains(codec)) {
            throw new StokerException("format " + format + " is not compressed with '" + codec + "', only with "
                    + String.join(", ", known.stream().sorted().toList()));
        }
        return codec;
    }

    /** How many bytes a block should have. */
    public static long bytes(Options options) {
        String size = options.setting(BLOCK);
        return size == null ? DEFAULT_BYTES : Sizes.parse("--" + BLOCK, size);
    }

    /** Cuts into groups of as many samples as make a block, and at least one. */
    public static long[] groups(Samples samples, List<Integer> fields, long bytes) {
        var ends = new ArrayList<Long>();
        long inGroup = 0;
        for (long i = 0; i < samples.count(); i++) {
            long sample = 0;
            for (int f : fields) {
                sample += samples.length(i, f);
            }
            if (inGroup > 0 && inGroup + sample > bytes) {
                ends.add(i);
                inGroup = 0;
            }
            inGroup += sample;
        }
        if (samples.count() > 0) {
            ends.add(samples.count());
        }
        return ends.stream().mapToLong(Long::longValue).toArray();
    }
}
