package dev.stoker.cli.feed;

import dev.stoker.cli.help.Grouped;
import dev.stoker.cli.help.OptionGroup;
import dev.stoker.cli.output.Human;
import dev.stoker.cli.output.MetricsOptions;
import dev.stoker.cli.output.Omitted;
import dev.stoker.cli.output.Report;
import dev.stoker.cli.output.StopRequest;
import dev.stoker.dataset.Dataset;
import dev.stoker.feed.BadSample;
import dev.stoker.feed.Batch;
import dev.stoker.feed.Feed;
import dev.stoker.feed.FeedBuilder;
import dev.stoker.feed.FeedMetrics;
import dev.stoker.io.Checksum;
import dev.stoker.metric.Bottleneck;
import dev.stoker.metric.TimeUsage;
import dev.stoker.metric.export.MetricsExporter;
import dev.stoker.order.Order;
import dev.stoker.order.OrderRandomness;
import dev.stoker.order.PositionFile;
import dev.stoker.os.FileErrors;
import dev.stoker.os.TrustedFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.Omission;
import dev.stoker.text.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description = "Deliver a rank's samples in batches, as to a training loop, and report the throughput.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker feed train.arrow --batch 64 --seed 7 --epochs 3 --json",
            "  stoker feed 'train-{0000..0146}.tar' --rank 0 --world 8 --print key",
            "  stoker feed train.stk --state job.json --ledger rank0.ledger --stop-after 10000",
            "  stoker feed 's3://bucket/train-*.stk' --threads 32    range requests, no local copy",
            "  stoker feed train.stk --epochs 90 --metrics tensorboard:runs/feed --metrics jsonl:feed.jsonl",
            "  stoker feed cats.stk dogs.h5:train --weights 0.7,0.3",
            "  stoker feed train.stk --decode image --transform \"RandomResizedCrop(224),RandomHorizontalFlip\""
        })
public final class FeedCommand implements Callable<Integer> {
    private static final int SHOWN = 20;

    /** What is printed of each sample. */
    enum Print {
        key,
        index,
        crc
    }

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "Containers, glob patterns, FILE:SPLIT, or folders of files, read as one dataset.")
    private List<String> files;

    @Mixin
    private FeedOptions options;

    @Mixin
    private DecodeOptions decode;

    @Grouped(OptionGroup.RESUMING)
    @Option(
            names = "--state",
            paramLabel = "FILE",
            description = "Resume from FILE if it exists; saved on exit, SIGTERM or SIGINT.")
    private @Nullable Path state;

    @Option(
            names = "--print",
            paramLabel = "WHAT",
            description = "Print one line per sample: ${COMPLETION-CANDIDATES} (of the field that --decode takes).")
    private @Nullable Print print;

    @Grouped(OptionGroup.DAMAGE)
    @Option(names = "--bad-list", paramLabel = "FILE", description = "Write the bad samples to FILE, one per line.")
    private @Nullable Path badList;

    @Grouped(OptionGroup.SPEED)
    @Option(names = "--no-limit", description = "Skip the bare-copy measurement at the end.")
    private boolean noLimit;

    @Mixin
    private MetricsOptions metricsOptions = new MetricsOptions();

    @Option(names = "--strict", description = "Refuse files of which something would be left out.")
    private boolean strict;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    private List<Omission> omissions = List.of();
    private final List<Double> epochRates = new ArrayList<>();

    @Override
    public Integer call() {
        List<Dataset> datasets = options.open(files);
        try (MetricsExporter metrics = metricsOptions.start("feed", options.ranks())) {
            omissions = datasets.stream()
                    .flatMap(dataset -> dataset.omissions().stream())
                    .distinct()
                    .toList();
            Omitted.check(omissions, strict, spec.commandLine().getErr()::println);
            FeedBuilder builder = options.builder(datasets);
            decode.addTo(builder, datasets.getFirst().schema(), files.getFirst());
            builder.meter(metricsOptions.registry().feed(options.ranks().rank(), files));
            if (state != null) {
                builder.resume(state);
            }
            try (StopRequest stop = state == null ? null : new StopRequest();
                    Feed feed = builder.start()) {
                drain(feed, datasets, stop);
                Bottleneck bottleneck = Bottleneck.of(TimeUsage.of(metrics.snapshot()));
                if (state != null) {
                    PositionFile.save(state, feed.position());
                }
                List<BadSample> bad = feed.badSamples();
                writeBadList(bad, datasets);
                if (print == null || json) {
                    report(feed, datasets, bad, isToStop(stop))
                            .put("limited_by", bottleneck.limit().name().toLowerCase(Locale.ROOT))
                            .put("bottleneck", bottleneck.sentence())
                            .line(
                                    isKnown(bottleneck)
                                            ? "With a training loop that does nothing else, the feed is "
                                                    + bottleneck.clause()
                                            : bottleneck.sentence())
                            .print(spec.commandLine().getOut(), json);
                }
            }
        } finally {
            datasets.forEach(Dataset::close);
        }
        return 0;
    }

    private static boolean isKnown(Bottleneck bottleneck) {
        return bottleneck.limit() != Bottleneck.Limit.UNKNOWN;
    }

    private void drain(Feed feed, List<Dataset> datasets, @Nullable StopRequest stop) {
        PrintWriter out = spec.commandLine().getOut();
        int key = print == Print.key ? feed.schema().place(Field.KEY) : -1;
        int data = print == Print.crc
                ? feed.schema().place(decode.field(datasets.getFirst().schema(), files.getFirst()))
                : -1;
        long before = System.nanoTime();
        long samples = 0;
        while (!isToStop(stop) && feed.hasNext()) {
            Batch batch = feed.next();
            for (int i = 0; print != null && i < batch.size(); i++) {
                out.println(line(print, batch, i, key, data, datasets.size()));
            }
            samples += batch.size();
            if (batch.isLastOfEpoch() || !feed.hasNext()) {
                long now = System.nanoTime();
                epochRates.add(samples / ((now - before) / 1e9));
                before = now;
                samples = 0;
            }
        }
        out.flush();
    }

    private static boolean isToStop(@Nullable StopRequest stop) {
        return stop != null && stop.isMade();
    }

    private static String line(Print print, Batch batch, int i, int key, int data, int datasets) {
        return switch (print) {
            case key -> Printable.line(batch.text(i, key));
            case index -> (datasets > 1 ? batch.dataset(i) + ":" : "") + batch.sample(i);
            case crc -> "%08x".formatted(Checksum.of(batch.value(i, data)));
        };
    }

    private void writeBadList(List<BadSample> bad, List<Dataset> datasets) {
        if (badList == null) {
            return;
        }
        var lines = new ArrayList<String>();
        for (BadSample sample : bad) {
            lines.add(sample.dataset() + "\t" + sample.sample() + "\t"
                    + describe(datasets.get(sample.dataset()), sample.sample()) + "\t" + sample.reason());
        }
        try {
            String text = lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
            TrustedFile.write(badList, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw FileErrors.cannotWrite(badList, e);
        }
    }

    /** A bad sample may have a key that cannot be read either. */
    private static String describe(Dataset dataset, long sample) {
        try {
            return dataset.describe(sample);
        } catch (RuntimeException e) {
            return "sample " + sample;
        }
    }

    private Report report(Feed feed, List<Dataset> datasets, List<BadSample> bad, boolean isStopped) {
        FeedMetrics metrics = feed.metrics();
        double rate = rate(metrics);
        // What decoding takes is so much more that a bare copy would say nothing.
        double limit = noLimit || isStopped || decode.isUsed() ? 0 : feed.limitSamplesPerSecond();
        var report = new Report()
                .put("files", files)
                .put("samples", metrics.samples())
                .put("batches", metrics.batches())
                .put("seconds", metrics.seconds())
                .put("samples_per_s", rate)
                .put("epochs", epochRates)
                .put("wait_p50_ms", metrics.waitP50Millis())
                .put("wait_p95_ms", metrics.waitP95Millis())
                .put("wait_share", metrics.waitShare())
                .put("memory_bytes", metrics.memoryBytes())
                .put("limit_samples_per_s", limit > 0 ? limit : null)
                .put("ratio", limit > 0 ? rate / limit : null)
                .put("epoch", feed.position().epoch())
                .put("cursor", feed.position().cursor())
                .put("bad", listed(bad));
        report.line(String.format(
                Locale.ROOT,
                "%s: %s samples in %s batches, %s samples/s%s; waited p50 %.2f ms, p95 %.2f ms, %.0f%% of the time",
                String.join(" ", files),
                Human.count(metrics.samples()),
                Human.count(metrics.batches()),
                Human.rate(rate),
                limit > 0
                        ? String.format(Locale.ROOT, " (%.2f of a bare copy's %s)", rate / limit, Human.rate(limit))
                        : "",
                metrics.waitP50Millis(),
                metrics.waitP95Millis(),
                100 * metrics.waitShare()));
        Omitted.put(report, omissions);
        addRandomness(report, datasets);
        for (BadSample sample : bad.subList(0, Math.min(SHOWN, bad.size()))) {
            report.line("bad: " + describe(datasets.get(sample.dataset()), sample.sample()) + ": " + sample.reason());
        }
        if (bad.size() > SHOWN) {
            report.line("… and " + Human.count(bad.size() - SHOWN) + " more bad samples (--bad-list FILE lists all)");
        }
        return report;
    }

    /** The median over the epochs; the first one, which finds everything cold, counts only if it is the only one. */
    private double rate(FeedMetrics metrics) {
        if (epochRates.isEmpty()) {
            return metrics.samples() / metrics.seconds();
        }
        double[] rates = epochRates.stream()
                .skip(epochRates.size() > 1 ? 1 : 0)
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        return rates[rates.length / 2];
    }

    private void addRandomness(Report report, List<Dataset> datasets) {
        Order blocks = options.blocks(datasets);
        if (blocks != null) {
            OrderRandomness randomness = OrderRandomness.measure(blocks, options.seed());
            report.put("serial_correlation", randomness.serialCorrelation())
                    .put("neighbour_distance", randomness.neighbourDistance())
                    .line(String.format(
                            Locale.ROOT,
                            "blocks: serial correlation %.4f (shuffled: 0), distance of neighbors %.4f (shuffled: 1)",
                            randomness.serialCorrelation(),
                            randomness.neighbourDistance()));
        }
    }

    private static List<Map<String, Object>> listed(List<BadSample> bad) {
        var listed = new ArrayList<Map<String, Object>>();
        for (BadSample sample : bad) {
            var one = new LinkedHashMap<String, Object>();
            one.put("dataset", sample.dataset());
            one.put("sample", sample.sample());
            one.put("reason", sample.reason());
            listed.add(one);
        }
        return listed;
    }
}
