package dev.stoker.bench.advise;

import dev.stoker.bench.Figures;
import dev.stoker.bench.advise.Advice.Point;
import dev.stoker.feed.FeedBuilder;
import dev.stoker.feed.ReadMode;
import dev.stoker.stage.StagingChoice;
import dev.stoker.stage.StagingMode;
import dev.stoker.stage.copy.StagedForm;
import dev.stoker.text.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How data come to the node, and how they are read there. Both are what {@code stoker run} and the feed choose by
 * themselves; this says so beforehand, and why.
 */
record ReadAdvice(StagingMode via, ReadMode mode, int threads, List<Point> points) {

    static ReadAdvice of(
            FormatAdvice format,
            DataSurvey seen,
            StorageTrial measured,
            NodeFacts node,
            AdviseRequest request,
            Staging staging) {
        boolean isLoose = format.format().equals(FormatAdvice.LOOSE);
        StagingChoice choice = staging.choose(
                format.isNew() ? request.output() : request.data(),
                isLoose,
                isLoose ? StagedForm.TREE : StagedForm.FILE,
                format.bytes(),
                isLoose ? seen.samples() : 1);
        boolean isInMemory = choice.via() == StagingMode.shm || format.bytes() <= node.memoryBytes() / 2;
        // As the feed does: files of their own cannot be mapped all at once.
        ReadMode mode = isInMemory && !isLoose ? ReadMode.MAP : ReadMode.PREAD;
        int threads = FeedBuilder.defaultThreads(mode, node.cores());
        var points = new ArrayList<Point>();
        points.add(staging(choice, format, node));
        points.add(reading(mode, isLoose, threads, format, measured));
        return new ReadAdvice(choice.via(), mode, threads, points);
    }

    private static Point staging(StagingChoice choice, FormatAdvice format, NodeFacts node) {
        String size = Sizes.human(format.bytes());
        return switch (choice.via()) {
            case shm ->
                new Point(
                        "staging",
                        "memory (shm)",
                        size + " is less than half of the " + Sizes.human(node.memoryBytes()) + " free ("
                                + node.memoryLimit() + ")");
            case local -> new Point("staging", "the node's disk (local)", choice.reason());
            case mount -> new Point("staging", "mount", choice.reason());
            case direct, auto -> new Point("staging", "none (direct)", choice.reason());
        };
    }

    private static Point reading(
            ReadMode mode, boolean isLoose, int threads, FormatAdvice format, StorageTrial measured) {
        String choice = threads + (threads == 1 ? " thread" : " threads") + ", "
                + mode.name().toLowerCase(Locale.ROOT);
        if (mode == ReadMode.MAP) {
            return new Point(
                    "reading",
                    choice,
                    "from memory, copying from the mapped file is fastest, with one thread per core (the feed chooses"
                            + " both automatically)");
        }
        String gain = measured.reads() == null ? "" : gain(measured.reads());
        return new Point(
                "reading",
                choice,
                (isLoose
                                ? "loose files are read by positional reads"
                                : Sizes.human(format.bytes()) + " do not stay in memory, so reads wait for storage")
                        + gain + " (the feed chooses both automatically)");
    }

    private static String gain(StorageTrial.Reads reads) {
        double times = reads.many().reads() / reads.one().reads();
        return "; here, " + StorageTrial.MANY + " parallel reads were "
                + (times > 1 ? Figures.ratio(times) + "x faster" : "no faster") + " than sequential ones";
    }
}
