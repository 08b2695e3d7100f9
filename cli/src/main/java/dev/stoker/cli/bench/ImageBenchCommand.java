package dev.stoker.cli.bench;

import dev.stoker.bench.ImageBench;
import dev.stoker.cli.feed.DecodeOptions;
import dev.stoker.cli.output.Human;
import dev.stoker.cli.output.Report;
import dev.stoker.image.DType;
import dev.stoker.image.Layout;
import dev.stoker.image.kernel.Kernels;
import dev.stoker.os.AvailableCores;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "image",
        description = "Compare decoding and transforming all pictures through the feed with the pipeline alone.",
        footerHeading = "%nExamples:%n",
        footer = "  stoker bench image train.stk --transform \"Resize(256),CenterCrop(224)\" --threads 2")
final class ImageBenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "A container of any format, with pictures in the field data.")
    private Path file;

    @Option(
            names = "--transform",
            paramLabel = "CHAIN",
            description = "Transforms with torchvision's names (default: ${DEFAULT-VALUE}).")
    private String transform = "RandomResizedCrop(224),RandomHorizontalFlip";

    @Option(names = "--threads", paramLabel = "N", description = "Decoder threads (default: one per core).")
    private int threads = AvailableCores.allocated();

    @Option(names = "--batch", paramLabel = "N", description = "Pictures per batch (default: ${DEFAULT-VALUE}).")
    private int batch = 64;

    @Option(
            names = "--repeat",
            paramLabel = "N",
            description = "Number of passes; medians are reported (default: ${DEFAULT-VALUE}).")
    private int repeats = 5;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Seed of the order and of random transforms (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        var settings = new ImageBench.Settings(threads, batch, repeats, seed);
        var pipeline = DecodeOptions.parse(transform, Layout.CHW, DType.UINT8);
        report(ImageBench.run(file, pipeline, settings))
                .print(spec.commandLine().getOut(), json);
        return 0;
    }

    private Report report(ImageBench.Result result) {
        var report = new Report()
                .put("file", file.toString())
                .put("samples", result.samples())
                .put("transform", transform)
                .put("threads", threads)
                .put("repeats", repeats)
                .put("kernels", Kernels.best().name())
                .put("samples_per_s", result.samplesPerSecond())
                .put("pipeline_samples_per_s", result.pipelineSamplesPerSecond())
                .put("ratio", result.ratio())
                .put("processor_us_per_sample", result.processorMicros())
                .put("shares", result.shares())
                .line(String.format(
                        Locale.ROOT,
                        "%s: %s photos/s through the feed, %.2f of the pipeline's %s, %.0f us of CPU per photo (%s; %d"
                                + " thread%s, %s, median of %d passes)",
                        file,
                        Human.rate(result.samplesPerSecond()),
                        result.ratio(),
                        Human.rate(result.pipelineSamplesPerSecond()),
                        result.processorMicros(),
                        transform,
                        threads,
                        threads == 1 ? "" : "s",
                        Kernels.best().name(),
                        repeats));
        if (result.turboMicros() > 0) {
            double ratio = result.fullDecodeMicros() / result.turboMicros();
            report.put("full_decode_us", result.fullDecodeMicros())
                    .put("libturbojpeg_us", result.turboMicros())
                    .put("full_decode_ratio", ratio)
                    .line(String.format(
                            Locale.ROOT,
                            "whole photos, one thread: %.0f us each, %.2f of libturbojpeg's %.0f us",
                            result.fullDecodeMicros(),
                            ratio,
                            result.turboMicros()));
        }
        if (!result.shares().isEmpty()) {
            report.line(result.shares().entrySet().stream()
                    .map(share -> String.format(Locale.ROOT, "%s %.0f%%", share.getKey(), 100 * share.getValue()))
                    .collect(Collectors.joining(", ", "time: ", "")));
        }
        return report;
    }
}
