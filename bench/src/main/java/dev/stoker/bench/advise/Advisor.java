package dev.stoker.bench.advise;

import dev.stoker.bench.Figures;
import dev.stoker.bench.advise.Advice.Picks;
import dev.stoker.bench.advise.Advice.Point;
import dev.stoker.text.Sizes;
import java.util.ArrayList;
import java.util.List;

/** The rules: a pure function of what was seen and measured, and of what the user asks for. */
public final class Advisor {
    /** A crop of 224 pixels needs no more, with some room to move. */
    private static final int ENOUGH_PIXELS = 512;
    /** Half of the pictures can be decoded faster in part. */
    private static final double MOST = 0.5;

    private Advisor() {}

    public static Advice advise(
            DataSurvey seen, StorageTrial measured, NodeFacts node, AdviseRequest request, Staging staging) {
        FormatAdvice format = FormatAdvice.of(seen, measured, request, staging);
        ReadAdvice read = ReadAdvice.of(format, seen, measured, node, request, staging);
        BatchAdvice batch = BatchAdvice.of(seen, request, read.threads());
        var points = new ArrayList<>(format.points());
        points.addAll(read.points());
        points.add(batch.point());
        var picks = new Picks(
                format.format(),
                format.isNew(),
                format.codec(),
                seen.isFixed(),
                read.via(),
                read.mode(),
                read.threads(),
                batch.ahead(),
                batch.batch(),
                format.factor());
        return new Advice(
                picks,
                points,
                CommandAdvice.of(seen, node, request, format, read, batch),
                options(seen, node, request, format));
    }

    /** What changes the samples, or depends on the program: the user knows. */
    private static List<Point> options(DataSurvey seen, NodeFacts node, AdviseRequest request, FormatAdvice format) {
        var options = new ArrayList<Point>();
        DataSurvey.Pictures pictures = seen.pictures();
        if (format.isNew() && pictures != null) {
            if (pictures.withoutMarkers() > MOST) {
                options.add(new Point(
                        "pictures", "pack --restart-interval 8", "if you crop: faster decoding, identical pixels"));
            }
            if (pictures.shortSide() > ENOUGH_PIXELS) {
                options.add(new Point(
                        "pictures",
                        "pack --resize 256",
                        "if training needs no more pixels: the median is " + pictures.width() + " x "
                                + pictures.height() + "; can't be undone"));
            }
        }
        if (format.isNew() && request.isThere()) {
            options.add(new Point(
                    "existing container",
                    "stoker advise " + ShellWord.of(request.container()),
                    "if this is an earlier pack of the same data; pack does not overwrite it without --force"));
        }
        if (format.isNew() && format.bytes() > node.outputFreeBytes()) {
            options.add(new Point(
                    "space",
                    "pack elsewhere",
                    "the container needs " + Sizes.human(format.bytes()) + ", but only "
                            + Sizes.human(node.outputFreeBytes()) + " is free there"));
        }
        if (format.isNew() && seen.container() == null) {
            options.add(
                    node.mountRefusal() == null
                            ? new Point(
                                    "files",
                                    "run --via mount",
                                    "if your program opens files: they appear in a folder, and nothing is copied")
                            : new Point(
                                    "files",
                                    "stage --extract",
                                    "if your program opens files; mounting isn't possible: " + node.mountRefusal()));
        }
        if (seen.duplicates() > 0) {
            options.add(new Point(
                    "duplicates",
                    "look at them",
                    Figures.count(seen.duplicates()) + " of " + Figures.count(seen.sampled())
                            + " files that were checked are duplicates; pack keeps them"));
        }
        if (seen.problems().count() > 0) {
            options.add(new Point(
                    "bad files",
                    "--skip-bad",
                    Figures.count(seen.problems().count()) + " cannot be read, the first: "
                            + seen.problems().first()));
        }
        return options;
    }
}
