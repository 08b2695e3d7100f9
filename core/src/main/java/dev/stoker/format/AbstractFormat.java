package dev.stoker.format;

import dev.stoker.StokerException;
import dev.stoker.sample.Samples;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A format that says what it is once, and plans only by settings that it has. */
public abstract class AbstractFormat implements Format {
    private final String name;
    private final List<String> extensions;
    private final Set<Capability> abilities;

    protected AbstractFormat(String name, List<String> extensions, EnumSet<Capability> abilities) {
        this.name = name;
        this.extensions = extensions;
        this.abilities = Collections.unmodifiableSet(abilities);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final List<String> extensions() {
        return extensions;
    }

    @Override
    public final Set<Capability> abilities() {
        return abilities;
    }

    @Override
    public final Plan plan(Samples samples, FormatOptions options) {
        options.requireOnly(name, settings());
        return newPlan(samples, options);
    }

    @Override
    public final Plan plan(Samples samples, FormatOptions options, CompressedBlocks blocks) {
        options.requireOnly(name, settings());
        return newPlan(samples, options, blocks);
    }

    /** As {@link #plan(Samples, FormatOptions)}, with no settings but those of the format. */
    protected abstract Plan newPlan(Samples samples, FormatOptions options);

    /** As {@link #plan(Samples, FormatOptions, CompressedBlocks)}, with no settings but those of the format. */
    protected Plan newPlan(Samples samples, FormatOptions options, CompressedBlocks blocks) {
        throw new StokerException("format " + name + " is not compressed by Stoker");
    }
}
