package dev.stoker.formats.zarr;

import dev.stoker.format.AbstractFormat;
import dev.stoker.format.Capability;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.formats.zarr.layout.ZarrJson;
import dev.stoker.formats.zarr.read.FolderStore;
import dev.stoker.formats.zarr.read.ZarrReader;
import dev.stoker.formats.zarr.write.ZarrFolderPlan;
import dev.stoker.index.IndexBuilder;
import dev.stoker.os.FileProbe;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;

/**
 * Zarr 3 in a folder, written and read as {@link ZarrZipFormat} is; zarr-python opens it with {@code zarr.open(PATH)}.
 *
 * <p><b>Writing.</b> The files are those of the zip: one of metadata for the root, each group and each array, and one
 * shard for each array that has elements. So their number does not grow with that of the samples, and many writers fill
 * each of them. To the Index they are blocks that are stored as they are, which makes a value a slice of a mapped file.
 *
 * <p><b>Reading.</b> Chunks by other writers are blocks in files of their own.
 */
public final class ZarrFormat extends AbstractFormat {
    public static final String NAME = "zarr";

    public ZarrFormat() {
        super(NAME, List.of("zarr"), EnumSet.complementOf(EnumSet.of(Capability.SINGLE_FILE)));
    }

    @Override
    public boolean matches(Path path, MemorySegment head) {
        return head.byteSize() == 0
                && FileProbe.isFolder(path)
                && (FileProbe.exists(path.resolve(ZarrJson.FILE))
                        || FileProbe.exists(path.resolve(ZarrJson.GROUP2))
                        || FileProbe.exists(path.resolve(ZarrJson.ARRAY2)));
    }

    @Override
    protected Plan newPlan(Samples samples, FormatOptions options) {
        return new ZarrFolderPlan(samples, options);
    }

    @Override
    public IndexBuilder deriveFolder(Path folder) {
        return new ZarrReader(new FolderStore(folder)).derive();
    }
}
