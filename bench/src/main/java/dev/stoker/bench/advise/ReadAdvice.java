package dev.stoker.bench.advise;

import dev.stoker.bench.Figures;
import dev.stoker.bench.advise.Advice.Point;
import dev.stoker.feed.FeedBuilder;
import dev.stoker.feed.ReadMode;
import dev.stoker.stage.Choice;
import dev.stoker.stage.Form;
import dev.stoker.stage.Via;
import dev.stoker.text.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How data come to the node, and how they are read there. Both are what {@code stoker run} and the feed choose by
 * themselves; this says so beforehand, and why.
 */
record ReadAdvice(Via via, ReadMode mode, int threads, List<Point> points) {

    static ReadAdvice of(FormatAdvice format, Seen seen, Measured measured, Node node, Wishes wishes, Staging staging) {
        boolean isLoose = format.format().equals(FormatAdvice.LOOSE);
        Choice choice = staging.choose(
                format.isNew() ? wishes.output() : wishes.data(),
                isLoose,
                isLoose ? Form.TREE : Form.FILE,
                format.bytes(),
                isLoose ? seen.samples() : 1);
        boolean isInMemory = choice.via() == Via.shm || format.bytes() <= node.memoryBytes() / 2;
        // As the feed does: files of their own cannot be mapped all at once.
        ReadMode mode = isInMemory && !isLoose ? ReadMode.MAP : ReadMode.PREAD;
        int threads = FeedBuilder.defaultThreads(mode, node.cores());
        var points = new ArrayList<Point>();
        points.add(staging(choice, format, node));
        points.add(reading(mode, isLoose, threads, format, measured));
        return new ReadAdvice(choice.via(), mode, threads, points);
    }

    private static Point staging(Choice choice, FormatAdvice format, Node node) {
        String size = Sizes.human(format.bytes());
        return switch (choice.via()) {
            case shm ->
                new Point(
                        "staging",
                        "memory (shm)",
                        size + " are less than half of the " + Sizes.human(node.memoryBytes()) + " "
                                + node.memoryLimit());
            case local -> new Point("staging", "the node's disk (local)", choice.reason());
            case mount -> new Point("staging", "mount", choice.reason());
            case direct, auto -> new Point("staging", "none (direct)", choice.reason());
        };
    }

    private static Point reading(ReadMode mode, boolean isLoose, int threads, FormatAdvice format, Measured measured) {
        String choice = threads + (threads == 1 ? " thread" : " threads") + ", "
                + mode.name().toLowerCase(Locale.ROOT);
        if (mode == ReadMode.MAP) {
            return new Point(
                    "reading",
                    choice,
                    "from memory, copying out of the mapped file is fastest, with a thread for each core (the feed"
                            + " chooses both by itself)");
        }
        String gain = measured.reads() == null
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; here %d at once gave %s times the reads of one after another",
                        Measured.MANY,
                        Figures.ratio(measured.reads().many().reads()
                                / measured.reads().one().reads()));
        return new Point(
                "reading",
                choice,
                (isLoose
                                ? "loose files are read by positional reads"
                                : Sizes.human(format.bytes()) + " do not stay in memory, so reads wait for storage")
                        + gain + " (the feed chooses both by itself)");
    }
}
