package dev.stoker.cli.pack;

import dev.stoker.UsageException;
import dev.stoker.cli.help.Grouped;
import dev.stoker.cli.help.OptionGroup;
import dev.stoker.concurrent.Progress;
import dev.stoker.image.pack.PictureRework;
import dev.stoker.image.pack.SizeLimit;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.sample.Samples;
import dev.stoker.transform.TransformedSamples;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What happens to pictures while they are packed. */
@Grouped(OptionGroup.PICTURES)
final class PictureOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--resize",
            paramLabel = "SIDE",
            description = "Shrink pictures to this many pixels on the short side; smaller ones stay byte for byte.")
    private int resize;

    @Option(
            names = "--max-side",
            paramLabel = "SIDE",
            description = "Shrink pictures to this many pixels on the long side.")
    private int maxSide;

    @Option(
            names = "--quality",
            paramLabel = "QUALITY",
            description = "JPEG quality of resized pictures, 1 to 100 (default: ${DEFAULT-VALUE}).")
    private int quality = 90;

    @Option(
            names = "--restart-interval",
            paramLabel = "N",
            description = "Add restart markers every N blocks of a JPEG, lossless: crops decode faster. Try 8.")
    private int restartInterval;

    @Option(
            names = "--check-images",
            description = "Decode every picture; fail on one that can't be decoded, or skip it with --skip-bad.")
    private boolean check;

    /**
     * The samples with their pictures changed, or as they are. On failure they are closed.
     *
     * @param world how many processes pack
     */
    Samples apply(Samples samples, Path spool, BadFilePolicy bad, Progress progress, int world) {
        PictureRework rework;
        try {
            rework = rework();
        } catch (IllegalArgumentException e) {
            samples.close();
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
        boolean nothing = rework.size().isEmpty() && restartInterval == 0 && !check;
        if (!nothing && world > 1) {
            samples.close();
            throw new UsageException("picture options need a single process, because sizes are only known after"
                    + " re-encoding; pack with one process (--rank 0 --world 1), or without --resize, --max-side,"
                    + " --restart-interval and --check-images");
        }
        return nothing ? samples : TransformedSamples.of(samples, rework, spool, bad, progress);
    }

    private PictureRework rework() {
        if (isGiven("--resize") && isGiven("--max-side")) {
            throw new IllegalArgumentException("give either --resize or --max-side");
        }
        if (isGiven("--restart-interval") && restartInterval == 0) {
            throw new IllegalArgumentException("--restart-interval should be from 1 to 65535 but is 0");
        }
        Optional<SizeLimit> size = isGiven("--resize")
                ? Optional.of(new SizeLimit(resize, true, quality))
                : isGiven("--max-side") ? Optional.of(new SizeLimit(maxSide, false, quality)) : Optional.empty();
        if (size.isEmpty() && isGiven("--quality")) {
            throw new IllegalArgumentException(
                    "--quality applies to resized pictures only; give --resize or --max-side");
        }
        return new PictureRework(size, restartInterval, check);
    }

    private boolean isGiven(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }
}
