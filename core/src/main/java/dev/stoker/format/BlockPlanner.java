package dev.stoker.format;

import dev.stoker.UsageException;
import dev.stoker.sample.Samples;
import dev.stoker.text.Sizes;
import dev.stoker.text.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The settings by which samples are compressed, and the cutting into blocks of about one size. */
public final class BlockPlanner {
    /** The setting that names a codec. */
    public static final String COMPRESSION = "compression";
    /** The setting of how many bytes make a block. */
    public static final String BLOCK = "block";

    private static final long DEFAULT_BYTES = 1 << 20;
    /** What it is where nothing is to be compressed. */
    public static final String NOTHING = "none";

    private BlockPlanner() {}

    /** The codec that the options ask for, one of those that a format takes; null if they ask for none. */
    public static @Nullable String codec(String format, FormatOptions options, Set<String> known) {
        String codec = options.setting(COMPRESSION);
        if (codec == null || codec.equals(NOTHING)) {
            return null;
        }
        if (!known.contains(codec)) {
            throw new UsageException("format " + format + " is not compressed with '" + codec + "', only with "
                    + String.join(", ", known.stream().sorted().toList()) + Spelling.hint(codec, known));
        }
        return codec;
    }

    /** How many bytes a block should have. */
    public static long bytes(FormatOptions options) {
        String size = options.setting(BLOCK);
        return size == null ? DEFAULT_BYTES : Sizes.parse("--" + BLOCK, size);
    }

    /** Cuts all samples into groups of as many as make a block, and at least one. */
    public static long[] groups(Samples samples, List<Integer> fields, long bytes) {
        return groups(samples, fields, 0, samples.count(), bytes);
    }

    /** Cuts some samples into groups; gives for each the sample behind its last. */
    public static long[] groups(Samples samples, List<Integer> fields, long first, long end, long bytes) {
        var ends = new ArrayList<Long>();
        long inGroup = 0;
        for (long i = first; i < end; i++) {
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
        if (end > first) {
            ends.add(end);
        }
        return ends.stream().mapToLong(Long::longValue).toArray();
    }
}
