package dev.stoker.pack;

import dev.stoker.StokerException;
import dev.stoker.format.BlockCut;
import dev.stoker.format.Format;
import dev.stoker.format.Options;
import dev.stoker.format.Plan;
import dev.stoker.format.Sidecar;
import dev.stoker.index.Index;
import dev.stoker.index.IndexLayout;
import dev.stoker.memory.Patch;
import dev.stoker.memory.Patches;
import dev.stoker.sample.Samples;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds all bytes of a container and its Index that are not as packing the samples again would make them. Packing is a
 * pure function of the samples and the options, so these are the damaged ones; that samples and options are those of then,
 * the Index proves: its header has a checksum of every section, and one of these sections has that of every value.
 */
final class Repack {
    private final Path container;
    private final Path sidecar;
    private final Format format;
    private final Samples samples;
    private final Options options;
    private final int workers;
    private final Progress progress;

    Repack(Path container, Format format, Samples samples, Options options, int workers, Progress progress) {
        this.container = container;
        this.sidecar = Sidecar.beside(container);
        this.format = format;
        this.samples = samples;
        this.options = options;
        this.workers = workers;
        this.progress = progress;
    }

    /** What differs; refuses to tell if what was packed cannot be proven to be the same. */
    Patches compare() {
        if (format.isMade(options)) {
            throw new StokerException("[" + container
                    + "] was made as a whole by another program, so no part of it can be" + " made again");
        }
        BlockCut cut = format.compress(samples, options);
        Path spool = container.resolveSibling(container.getFileName() + ".repair.blocks");
        try (BlockSpool blocks = cut == null ? null : BlockSpool.compress(samples, cut, spool, workers, progress)) {
            Plan plan = blocks == null ? format.plan(samples, options) : format.plan(samples, options, blocks);
            var patches = new Patches();
            write(plan, patches, blocks);
            requireProof(plan.index(), patches);
            return patches;
        }
    }

    private void write(Plan plan, Patches patches, @Nullable BlockSpool blocks) {
        progress.begin("comparing with the source", samples.count(), plan.length());
        try (var opened = Opened.patched(plan, container, sidecar, patches)) {
            var filling = new Filling(samples, plan, opened, blocks, workers);
            filling.begin();
            filling.fillAll(progress);
            filling.seal();
        }
    }

    private void requireProof(IndexLayout index, Patches patches) {
        Path place = index.isContainer() ? container : sidecar;
        List<Patch.Range> ranges = patches.list().stream()
                .filter(patch -> patch.path().equals(place))
                .flatMap(patch -> patch.ranges().stream())
                .toList();
        if (ranges.stream().noneMatch(range -> isInHead(index, range))) {
            return;
        }
        if (Index.hasIntactHead(place)) {
            throw notTheSame("its Index is another one than packing these samples again would make");
        }
        boolean isSameElsewhere = index.isContainer()
                ? ranges.stream().allMatch(range -> isInHead(index, range) || isInChecksums(index, range))
                        && patches.list().stream().allMatch(Patch::hasItsLength)
                : patches.list().stream().allMatch(patch -> patch.path().equals(place));
        Predicate<Patch.Range> inChecksums = range -> isInChecksums(index, range);
        if (!isSameElsewhere && ranges.stream().anyMatch(inChecksums)) {
            throw notTheSame("the header of its Index and checksums in it are damaged, and so is the container");
        }
    }

    private static boolean isInHead(IndexLayout index, Patch.Range range) {
        return range.offset() < index.headBytes();
    }

    private static boolean isInChecksums(IndexLayout index, Patch.Range range) {
        for (int f = 0; f < index.meta().placements().size(); f++) {
            if (index.meta().placements().get(f).checksums()
                    && range.offset() < index.checksums(f) + 4 * index.samples()
                    && range.end() > index.checksums(f)) {
                return true;
            }
        }
        return false;
    }

    private StokerException notTheSame(String how) {
        return new StokerException(
                "[" + container + "] cannot be repaired in place, since nothing proves that it was made"
                        + " of these samples with these options: " + how
                        + ". Give the options that it was packed with, or pack it anew with --force");
    }
}
