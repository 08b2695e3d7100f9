package dev.stoker.formats.zarr;

import dev.stoker.StokerException;
import dev.stoker.format.Ability;
import dev.stoker.format.Format;
import dev.stoker.format.Options;
import dev.stoker.format.Plan;
import dev.stoker.index.IndexBuilder;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Zarr in a folder, read as {@link ZarrZipFormat} is: its chunks are blocks in files of their own. Not written.
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
        return EnumSet.of(
                Ability.SPLITS, Ability.DUPLICATE_KEYS, Ability.KEYLESS, Ability.ANY_FIELDS, Ability.SPECIFIED);
    }

    @Override
    public boolean matches(Path path, MemorySegment head) {
        return head.byteSize() == 0
                && Files.isDirectory(path)
                && (Files.exists(path.resolve(ZarrJson.FILE))
                        || Files.exists(path.resolve(ZarrJson.GROUP2))
                        || Files.exists(path.resolve(ZarrJson.ARRAY2)));
    }

    @Override
    public Plan plan(Samples samples, Options options) {
        throw new StokerException(
                "format " + NAME + " (a folder) can be read but not written; write a zip, as OUT.zarr.zip,"
                        + " and unpack it if you need the folder");
    }

    @Override
    public IndexBuilder deriveFolder(Path folder) {
        return new ZarrReader(new FolderStore(folder)).derive();
    }
}
