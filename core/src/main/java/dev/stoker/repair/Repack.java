package dev.stoker.repair;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Sidecar;
import dev.stoker.format.BlockPlan;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.index.Index;
import dev.stoker.index.IndexLayout;
import dev.stoker.io.FilePatch;
import dev.stoker.io.FilePatches;
import dev.stoker.io.OutputNames;
import dev.stoker.sample.Samples;
import dev.stoker.write.BlockSpool;
import dev.stoker.write.OpenOutput;
import dev.stoker.write.PlanFiller;
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
    private final FormatOptions options;
    private final int workers;
    private final Progress progress;

    Repack(Path container, Format format, Samples samples, FormatOptions options, int workers, Progress progress) {
        this.container = container;
        this.sidecar = Sidecar.beside(container);
        this.format = format;
        this.samples = samples;
        this.options = options;
        this.workers = workers;
        this.progress = progress;
    }

    /** What differs; refuses to tell if what was packed cannot be proven to be the same. */
    FilePatches compare() {
        if (format.isMade(options)) {
            throw new StokerException(
                    container, "was made as a whole by another program, so no part of it can be" + " made again");
        }
        BlockPlan cut = format.compress(samples, options);
        Path spool = OutputNames.repairBlocks(container);
        try (BlockSpool blocks = cut == null ? null : BlockSpool.compress(samples, cut, spool, workers, progress)) {
            Plan plan = blocks == null ? format.plan(samples, options) : format.plan(samples, options, blocks);
            var patches = new FilePatches();
            write(plan, patches, blocks);
            requireProof(plan.index(), patches);
            return patches;
        }
    }

    private void write(Plan plan, FilePatches patches, @Nullable BlockSpool blocks) {
        progress.begin("comparing with the source", samples.count(), plan.length());
        try (var opened = OpenOutput.patched(plan, container, sidecar, patches)) {
            var filling = new PlanFiller(samples, plan, opened, blocks, workers);
            filling.begin();
            filling.fillAll(progress);
            filling.seal();
        }
    }

    private void requireProof(IndexLayout index, FilePatches patches) {
        Path place = index.isContainer() ? container : sidecar;
        List<FilePatch.Range> ranges = patches.list().stream()
                .filter(patch -> patch.path().equals(place))
                .flatMap(patch -> patch.ranges().stream())
                .toList();
        if (ranges.stream().noneMatch(range -> isInHead(index, range))) {
            return;
        }
        if (Index.hasIntactHead(place)) {
            throw notTheSame("its Index differs from the one that packing these samples again would make");
        }
        boolean isSameElsewhere = index.isContainer()
                ? ranges.stream().allMatch(range -> isInHead(index, range) || isInChecksums(index, range))
                        && patches.list().stream().allMatch(FilePatch::hasItsLength)
                : patches.list().stream().allMatch(patch -> patch.path().equals(place));
        Predicate<FilePatch.Range> inChecksums = range -> isInChecksums(index, range);
        if (!isSameElsewhere && ranges.stream().anyMatch(inChecksums)) {
            throw notTheSame("the header of its Index and checksums in it are damaged, and so is the container");
        }
    }

    private static boolean isInHead(IndexLayout index, FilePatch.Range range) {
        return range.offset() < index.headBytes();
    }

    private static boolean isInChecksums(IndexLayout index, FilePatch.Range range) {
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
                container,
                "cannot be repaired in place, since nothing proves that it was made"
                        + " of these samples with these options: " + how
                        + ". Give the options that it was packed with, or pack it again with --force");
    }
}
