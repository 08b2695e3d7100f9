package dev.stoker.bench.advise;

import dev.stoker.bench.Figures;
import dev.stoker.bench.advise.Advice.Point;
import dev.stoker.format.StkFormat;
import dev.stoker.stage.StagingMode;
import dev.stoker.stage.copy.StagedForm;
import dev.stoker.text.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Into what to pack, or whether to leave things as they are.
 *
 * @param format of the container, {@code folder} for files that stay
 * @param isNew whether a container is written
 * @param codec that compresses; empty for none
 * @param factor how many times as fast as the loose files; 0 if not known
 * @param bytes of what is staged and read later
 */
record FormatAdvice(String format, boolean isNew, String codec, double factor, long bytes, List<Point> points) {
    static final String STK = new StkFormat().name();
    static final String LOOSE = "folder";

    /** Below this mean size packing pays whatever the storage. */
    private static final long LARGE_BYTES = 16L << 20;
    /** More files than this are a burden to a parallel filesystem, however large each is. */
    private static final long MANY_FILES = 10_000;
    /** Opening a file may take this part of reading it. */
    private static final double OPEN_SHARE = 0.05;
    /** Large files are packed, and so copied, for no less. */
    private static final double WORTHWHILE_FACTOR = 1.1;
    /** What the Index and the key of a sample take, about. */
    private static final long SAMPLE_BYTES = 128;
    /** What memory gives where nothing was measured. */
    private static final double MEMORY_BYTES_PER_SECOND = 4e9;
    /** As {@link dev.stoker.write.Compressibility#isWorthwhile}. */
    private static final double WORTHWHILE = 0.9;
    /** From here on, the percentage would read 100. */
    private static final double FULL = 0.995;

    static FormatAdvice of(DataSurvey seen, StorageTrial measured, AdviseRequest request, Staging staging) {
        if (seen.container() != null) {
            return ofContainer(seen, seen.container());
        }
        if (seen.areContainers()) {
            return kept(
                    seen,
                    "leave the files",
                    "each already holds many samples; together they form one dataset. `stoker advise FILE` advises on"
                            + " one of them");
        }
        if (isLarge(seen, measured) && !isWorthPacking(seen, measured, request, staging)) {
            return kept(
                    seen,
                    "leave the files",
                    String.format(
                            Locale.ROOT,
                            "%s files of %s each: opening a file takes %s of its read time, so packing would copy %s"
                                    + " and gain little",
                            Figures.count(seen.samples()),
                            Sizes.human(seen.sizes().mean()),
                            percent(openShare(seen, measured)),
                            Sizes.human(seen.bytes())));
        }
        return packed(seen, measured, request, staging);
    }

    private static boolean isLarge(DataSurvey seen, StorageTrial measured) {
        return seen.sizes().mean() >= LARGE_BYTES
                && seen.samples() <= MANY_FILES
                && openShare(seen, measured) < OPEN_SHARE;
    }

    /** What is in memory is copied faster out of one mapped file; whatever else there is waits for the storage. */
    private static boolean isWorthPacking(
            DataSurvey seen, StorageTrial measured, AdviseRequest request, Staging staging) {
        return measured.packed() != null
                && measured.packed().factor() > WORTHWHILE_FACTOR
                && via(request, staging, packedBytes(seen)) == StagingMode.shm;
    }

    private static double openShare(DataSurvey seen, StorageTrial measured) {
        double open = measured.metadata() == null ? 0 : measured.metadata().medianMicros() / 1e6;
        double speed = measured.reads() == null
                ? MEMORY_BYTES_PER_SECOND
                : measured.reads().again().bytes();
        return open / (open + seen.sizes().mean() / speed);
    }

    private static FormatAdvice kept(DataSurvey seen, String choice, String reason) {
        return new FormatAdvice(LOOSE, false, "", 0, seen.bytes(), List.of(new Point("format", choice, reason)));
    }

    private static FormatAdvice ofContainer(DataSurvey seen, DataSurvey.ContainerFacts facts) {
        if (facts.isCompressed()) {
            return repacked(
                    seen,
                    "." + STK + " instead of " + facts.format(),
                    String.format(
                            Locale.ROOT,
                            "samples are in %s compressed blocks of about %.0f; shuffled reads decode a whole block per"
                                    + " sample; uncompressed they take %s instead of %s",
                            Figures.count(facts.blocks()),
                            Math.ceil((double) seen.samples() / facts.blocks()),
                            Sizes.human(packedBytes(seen)),
                            Sizes.human(facts.storedBytes())));
        }
        if (facts.isLoose()) {
            return repacked(
                    seen,
                    "." + STK,
                    "every sample is a separate file (" + Figures.count(seen.samples())
                            + " inodes), which has to be opened to be read");
        }
        var leave = new Point(
                "format",
                "leave it (" + facts.format() + ")",
                "samples are stored in it uncompressed, so each is a slice of the mapped file, as in any other format");
        return new FormatAdvice(facts.format(), false, "", 0, facts.storedBytes(), List.of(leave));
    }

    private static FormatAdvice repacked(DataSurvey seen, String choice, String reason) {
        return new FormatAdvice(STK, true, "", 0, packedBytes(seen), List.of(new Point("format", choice, reason)));
    }

    private static FormatAdvice packed(DataSurvey seen, StorageTrial measured, AdviseRequest request, Staging staging) {
        StorageTrial.Packed packed = measured.packed();
        String gain = packed == null ? "" : gain(packed);
        var points = new ArrayList<Point>();
        points.add(new Point(
                "format",
                "." + STK,
                gain + "one file for " + (seen.isAll() ? "" : "more than ") + Figures.count(seen.samples())
                        + ", with Index and checksums. If other programs need to read it: .arrow, .h5, .lmdb and .tar"
                        + " are mapped the same way and nearly as fast"));
        points.add(layout(seen));
        String codec = compress(seen, request, staging, points);
        long bytes = codec.isEmpty() ? packedBytes(seen) : (long) (packedBytes(seen) * seen.remains());
        return new FormatAdvice(STK, true, codec, packed == null ? 0 : packed.factor(), bytes, points);
    }

    private static String gain(StorageTrial.Packed packed) {
        String rates = String.format(
                Locale.ROOT,
                "a trial pack reads %s samples/s, the loose files %s",
                Figures.rate(packed.samples()),
                Figures.rate(packed.loose()));
        return packed.factor() < 1
                ? rates + "; the machine seems busy, so run this again when it is idle; "
                : rates + " (" + Figures.ratio(packed.factor()) + "x faster); ";
    }

    private static Point layout(DataSurvey seen) {
        return seen.isFixed()
                ? new Point(
                        "layout",
                        "fixed length, no shards",
                        "all are " + seen.arrayType() + ", so a sample's offset is its number times its length")
                : new Point(
                        "layout",
                        "variable length, no shards",
                        (seen.sizes().isFixed()
                                        ? "each has " + Sizes.human(seen.sizes().largest())
                                        : "from " + Sizes.human(seen.sizes().smallest()) + " to "
                                                + Sizes.human(seen.sizes().largest()))
                                + "; any number of processes can map one file");
    }

    /** The codec, if only what is compressed fits into memory; else decoding in every epoch buys nothing. */
    private static String compress(DataSurvey seen, AdviseRequest request, Staging staging, List<Point> points) {
        if (Double.isNaN(seen.remains())) {
            return "";
        }
        if (seen.remains() >= WORTHWHILE) {
            points.add(new Point(
                    "compression",
                    "none",
                    Trial.CODEC
                            + (seen.remains() < FULL
                                    ? " shrinks this data only to " + percent(seen.remains())
                                    : " doesn't shrink this data")));
            return "";
        }
        String remains = Trial.CODEC + " shrinks this data to " + percent(seen.remains());
        long plain = packedBytes(seen);
        boolean fitsPlain = via(request, staging, plain) == StagingMode.shm;
        boolean fitsCompressed = via(request, staging, (long) (plain * seen.remains())) == StagingMode.shm;
        if (!fitsPlain && fitsCompressed) {
            points.add(new Point(
                    "compression",
                    Trial.CODEC,
                    remains + "; it fits into memory only compressed; each read decodes a block"));
            return Trial.CODEC;
        }
        points.add(new Point(
                "compression",
                "none",
                remains + ", but "
                        + (fitsPlain ? "it fits into memory uncompressed" : "it does not fit into memory either way")
                        + "; every epoch would decode it again"));
        return "";
    }

    private static StagingMode via(AdviseRequest request, Staging staging, long bytes) {
        return staging.choose(request.output(), false, StagedForm.FILE, bytes, 1)
                .via();
    }

    private static long packedBytes(DataSurvey seen) {
        return seen.bytes() + SAMPLE_BYTES * seen.samples();
    }

    static String percent(double part) {
        return String.format(Locale.ROOT, part < 0.1 ? "%.1f%%" : "%.0f%%", 100 * part);
    }
}
