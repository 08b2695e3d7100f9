package dev.stoker.formats.folder;

import dev.stoker.format.AbstractFormat;
import dev.stoker.format.Capability;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.format.SmallValues;
import dev.stoker.format.TreeFields;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.listing.FolderSource;
import dev.stoker.os.AvailableCores;
import dev.stoker.os.FileProbe;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * A folder with one file for each sample: its field {@code data}, under its key, and nothing else. All other fields are
 * in the sidecar {@code FOLDER.stkx}.
 *
 * <p>A folder without a sidecar is read too: it is walked whenever it is opened, and its samples have a key, data, and
 * the label of their folder, as {@link FolderSource} has it. Nothing is kept, since a folder can change at any time.
 */
public final class FolderFormat extends AbstractFormat {
    static final String NAME = "folder";

    public FolderFormat() {
        super(NAME, List.of(), EnumSet.of(Capability.WRITE, Capability.PARALLEL_FILL, Capability.VARIABLE_LENGTH));
    }

    @Override
    public boolean matches(Path path, MemorySegment head) {
        return head.byteSize() == 0 && FileProbe.isFolder(path);
    }

    @Override
    protected Plan newPlan(Samples samples, FormatOptions options) {
        return new FolderPlan(samples, TreeFields.require(NAME, samples, options));
    }

    @Override
    public IndexBuilder deriveFolder(Path folder) {
        try (Samples samples = FolderSource.list(folder, true, 4 * AvailableCores.allocated())) {
            var placements = new ArrayList<Placement>();
            for (Field field : samples.schema().fields()) {
                boolean tree = field.name().equals(Field.DATA);
                placements.add(
                        tree ? Placement.tree() : Placement.indexed(field.type().isFixed()));
            }
            return new IndexBuilder(samples.schema(), placements).filledBy(builder -> {
                for (int f = 0; f < placements.size(); f++) {
                    add(samples, f, placements.get(f), builder);
                }
            });
        }
    }

    private static void add(Samples samples, int field, Placement placement, IndexBuilder builder) {
        for (long i = 0; i < samples.count(); i++) {
            if (placement.place() == Placement.Place.TREE) {
                builder.stored(field, 0, samples.length(i, field));
            } else {
                builder.value(field, MemorySegment.ofArray(SmallValues.read(samples, i, field)));
            }
        }
    }
}
