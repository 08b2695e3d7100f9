package dev.stoker.write;

import dev.stoker.UsageException;
import dev.stoker.concurrent.Progress;
import dev.stoker.format.BlockPlan;
import dev.stoker.format.BlockPlanner;
import dev.stoker.format.Capability;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.format.Run;
import dev.stoker.index.Placement;
import dev.stoker.io.Fingerprints;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Says where every byte of the samples goes, or why the format has no place for them. */
final class PackPlanner {
    private final Samples samples;
    private final Format format;
    private final FormatOptions options;
    private final Progress progress;
    /** Found once, since it takes the lengths of all samples. */
    private @Nullable BlockPlan cut;

    private boolean isCut;

    PackPlanner(Samples samples, Format format, FormatOptions options, Progress progress) {
        this.samples = samples;
        this.format = format;
        this.options = options;
        this.progress = progress;
    }

    /** Which samples are compressed together; null if the options ask for no compression. */
    @Nullable
    BlockPlan cut() {
        if (!isCut) {
            cut = format.compress(samples, options);
            isCut = true;
        }
        return cut;
    }

    /**
     * The fields that stay as they are although compression was asked for, since the format has no place for compressed
     * values of their types; narrow numbers, which the Index keeps, are not told of.
     */
    List<Field> uncompressed() {
        String asked = options.setting(BlockPlanner.COMPRESSION);
        if (asked == null || asked.equals(BlockPlanner.NOTHING) || format.isMade(options)) {
            return List.of();
        }
        BlockPlan blocks = cut();
        return IntStream.range(0, samples.schema().size())
                .filter(f -> blocks == null || !blocks.fields().contains(f))
                .mapToObj(f -> samples.schema().fields().get(f))
                .filter(field -> !field.name().equals(Field.KEY)
                        && !(field.type().isFixed() && field.type().width() <= Placement.NARROW))
                .toList();
    }

    /** Refuses what this many processes cannot write. */
    void requireAble(int writers) {
        refuseSplits();
        if (writers > 1 && !format.can(Capability.PARALLEL_FILL)) {
            throw new UsageException("format " + format.name() + " cannot be written by " + writers
                    + " ranks: its layout depends on the whole data. Pack with one process (--rank 0 --world 1), or"
                    + " choose a format with parallel fill (see: stoker formats)");
        }
    }

    void refuseSplits() {
        if (!samples.splits().isEmpty() && !format.can(Capability.SPLITS)) {
            throw new UsageException("format " + format.name() + " can't store splits; pack each split into its own"
                    + " container, or choose a format that can (see: stoker formats)");
        }
    }

    /** Compresses the samples, if the options ask for it: their offsets depend on how small they get. */
    @Nullable
    BlockSpool compress(Path spool, int workers, int writers) {
        BlockPlan blocks = cut();
        if (blocks == null) {
            return null;
        }
        if (writers > 1) {
            throw new UsageException("with --compression, format " + format.name() + " cannot be written by " + writers
                    + " ranks: its layout depends on the size of each compressed block. Leave out --compression, or"
                    + " pack with one process (--rank 0 --world 1)");
        }
        return BlockSpool.compress(samples, blocks, spool, workers, progress);
    }

    Plan plan(@Nullable BlockSpool compressed) {
        progress.phase("planning");
        return compressed == null ? format.plan(samples, options) : format.plan(samples, options, compressed);
    }

    /** Two tries with the same fingerprint write the same bytes to the same places. */
    String fingerprint(Plan plan) {
        MessageDigest digest = Fingerprints.begin();
        Fingerprints.add(digest, samples.fingerprint());
        // What was filled from an earlier version is not kept. The other parts of a file's version differ between
        // nodes.
        samples.seenFiles().forEach(file -> Fingerprints.add(digest, file.size(), file.modifiedNanos()));
        Fingerprints.add(digest, format.name());
        Fingerprints.add(digest, options.toString());
        for (int r = 0; r < plan.runs(); r++) {
            Run run = plan.run(r);
            Fingerprints.add(digest, run.first(), run.end(), run.offset(), run.length());
        }
        return Fingerprints.end(digest);
    }
}
