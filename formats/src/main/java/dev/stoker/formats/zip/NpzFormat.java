package dev.stoker.formats.zip;

import dev.stoker.format.AbstractFormat;
import dev.stoker.format.Capability;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.index.IndexBuilder;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;

/**
 * NumPy arrays in a zip ({@code .npz}), one stored member {@code FIELD.npy} for each field of fixed length, in the order
 * of the schema: {@code np.load(path)["label"][i]} is the label of sample <i>i</i>. Members and the zip around them are
 * as {@link ZipFormat} writes them. Texts are in the sidecar; fields of other lengths are refused.
 *
 * <p>A member's CRC-32 is over all of it, so one writer fills a container.
 *
 * <p>Reading. What {@code np.savez} and {@code np.savez_compressed} write, if all arrays have the same first dimension,
 * which counts the samples. Stored arrays are read where they lie; deflated ones are inflated as a whole. The same is
 * refused as for {@code .npy}.
 */
public final class NpzFormat extends AbstractFormat {
    static final String NAME = "npz";

    public NpzFormat() {
        super(
                NAME,
                List.of("npz"),
                EnumSet.of(
                        Capability.WRITE,
                        Capability.SINGLE_FILE,
                        Capability.IN_PLACE,
                        Capability.DUPLICATE_KEYS,
                        Capability.KEYLESS,
                        Capability.SPECIFIED));
    }

    /** By the name too: any zip may hold .npy files as samples. */
    @Override
    public boolean matches(Path path, MemorySegment head) {
        return String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT).endsWith(".npz")
                && new ZipFormat().matches(path, head);
    }

    @Override
    protected Plan newPlan(Samples samples, FormatOptions options) {
        return new NpzPlan(samples, options);
    }

    @Override
    public IndexBuilder derive(MappedFile file) {
        return new NpzReader(file).derive();
    }
}
