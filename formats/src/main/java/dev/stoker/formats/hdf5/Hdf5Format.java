package dev.stoker.formats.hdf5;

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
import java.util.Set;

public final class Hdf5Format implements Format {
    static final String NAME = "hdf5";
    static final String LAYOUT = "layout";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<String> extensions() {
        return List.of("h5", "hdf5");
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.allOf(Ability.class);
    }

    @Override
    public Set<String> settings() {
        return Set.of(LAYOUT);
    }

    /** The signature stands at byte 0, 512, 1024, 2048 and so on: what is before it is the user's own. */
    @Override
    public boolean matches(Path path, MemorySegment head) {
        return Superblock.find(head) >= 0;
    }

    @Override
    public Plan plan(Samples samples, Options options) {
        options.requireOnly(name(), settings());
        return new Hdf5Plan(samples, options);
    }

    @Override
    public IndexBuilder derive(MappedFile file) {
        return new Hdf5Reader(file).derive();
    }
}
