package dev.stoker.formats.zarr;

import dev.stoker.format.Ability;
import dev.stoker.format.Format;
import dev.stoker.format.Options;
import dev.stoker.format.Plan;
import dev.stoker.index.IndexBuilder;
import dev.stoker.memory.Found;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Zarr 3 in a folder, written and read as {@link ZarrZipFormat} is; zarr-python opens it with {@code zarr.open(PATH)}.
 *
 * <p><b>Writing.</b> The files are those of the zip: one of metadata for the root, each group and each array, and one
 * shard for each array that has elements. So their number does not grow with that of the samples, and many writers fill
 * each of them. To the Index they are blocks that are stored as they are, which makes a value a slice of a mapped file.
 *
 * <p><b>Reading.</b> Chunks by other writers are blocks in files of their own.
 */
public final class ZarrFormat implements Format {
    static final String NAME = "zarr";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<String> extensions() {
        return List.of("zarr");
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.complementOf(EnumSet.of(Ability.SINGLE_FILE));
    }

    @Override
    public boolean matches(Path path, MemorySegment head) {
        return head.byteSize() == 0
                && Found.isFolder(path)
                && (Found.exists(path.resolve(ZarrJson.FILE))
                        || Found.exists(path.resolve(ZarrJson.GROUP2))
                        || Found.exists(path.resolve(ZarrJson.ARRAY2)));
    }

    @Override
    public Plan plan(Samples samples, Options options) {
        options.requireOnly(name(), settings());
        return new ZarrFolderPlan(samples, options);
    }

    @Override
    public IndexBuilder deriveFolder(Path folder) {
        return new ZarrReader(new FolderStore(folder)).derive();
    }
}
