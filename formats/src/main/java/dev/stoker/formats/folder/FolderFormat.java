package dev.stoker.formats.folder;

import dev.stoker.format.Ability;
import dev.stoker.format.Format;
import dev.stoker.format.Options;
import dev.stoker.format.Plan;
import dev.stoker.format.SmallValues;
import dev.stoker.format.TreeFields;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.memory.Cores;
import dev.stoker.memory.Found;
import dev.stoker.pack.FolderSource;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A folder with one file for each sample: its field {@code data}, under its key, and nothing else. All other fields are
 * in the sidecar {@code FOLDER.stkx}.
 *
 * <p>A folder without a sidecar is read too: it is walked whenever it is opened, and its samples have a key, data, and
 * the label of their folder, as {@link FolderSource} has it. Nothing is kept, since a folder can change at any time.
 */
public final class FolderFormat implements Format {
    static final String NAME = "folder";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<String> extensions() {
        return List.of();
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(Ability.WRITE, Ability.PARALLEL_FILL, Ability.VARIABLE_LENGTH);
    }

    @Override
    public boolean matches(Path path, MemorySegment head) {
        return head.byteSize() == 0 && Found.isFolder(path);
    }

    @Override
    public Plan plan(Samples samples, Options options) {
        options.requireOnly(name(), settings());
        return new FolderPlan(samples, TreeFields.require(NAME, samples, options));
    }

    @Override
    public IndexBuilder deriveFolder(Path folder) {
        try (Samples samples = FolderSource.list(folder, true, 4 * Cores.allocated())) {
            var placements = new ArrayList<Placement>();
            for (Field field : samples.schema().fields()) {
                boolean tree = field.name().equals(Field.DATA);
                placements.add(
                        tree ? Placement.tree() : Placement.indexed(field.type().isFixed()));
            }
            var builder = new IndexBuilder(samples.schema(), placements);
            try {
                for (int f = 0; f < placements.size(); f++) {
                    add(samples, f, placements.get(f), builder);
                }
                return builder;
            } catch (RuntimeException e) {
                builder.close();
                throw e;
            }
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
