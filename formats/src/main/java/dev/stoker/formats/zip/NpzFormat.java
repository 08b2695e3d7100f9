package dev.stoker.formats.zip;

import dev.stoker.format.Ability;
import dev.stoker.format.Format;
import dev.stoker.format.Options;
import dev.stoker.format.Plan;
import dev.stoker.index.IndexBuilder;
import dev.stoker.memory.MappedFile;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

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
public final class NpzFormat implements Format {
    static final String NAME = "npz";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<String> extensions() {
        return List.of("npz");
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(
                Ability.WRITE,
                Ability.SINGLE_FILE,
                Ability.IN_PLACE,
                Ability.DUPLICATE_KEYS,
                Ability.KEYLESS,
                Ability.SPECIFIED);
    }

    /** By the name too: any zip may hold .npy files as samples. */
    @Override
    public boolean matches(Path path, MemorySegment head) {
        return String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT).endsWith(".npz")
                && new ZipFormat().matches(path, head);
    }

    @Override
    public Plan plan(Samples samples, Options options) {
        options.requireOnly(name(), settings());
        return new NpzPlan(samples, options);
    }

    @Override
    public IndexBuilder derive(MappedFile file) {
        return new NpzReader(file).derive();
    }
}
