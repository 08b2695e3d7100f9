package dev.stoker.cli.bench;

import dev.stoker.bench.FeedBench;
import dev.stoker.bench.Leftovers;
import dev.stoker.cli.output.Human;
import dev.stoker.cli.output.Report;
import dev.stoker.os.FileErrors;
import dev.stoker.text.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "feed",
        description =
                "Measure what a feed needs besides throughput: memory for a terabyte (a sparse file), time to seek to the"
                        + " middle of epoch 1000, and whether anything grows over a day's batches.",
        footerHeading = "%nExamples:%n",
        footer = "  stoker bench feed --batches 864000 --json    # a day of 10 batches a second")
final class FeedBenchCommand implements Callable<Integer> {
    private static final long SMALL = 1000;
    private static final long LARGE = 100_000;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "Folder for the files, on a disk that supports sparse files (default: the temporary folder).")
    private Path work = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(names = "--bytes", paramLabel = "SIZE", description = "Size of the data (default: ${DEFAULT-VALUE} bytes).")
    private String size = "1000000000000";

    @Option(
            names = "--batches",
            paramLabel = "N",
            description = "Number of batches to deliver (default: ${DEFAULT-VALUE}).")
    private long batches = 864_000;

    @Option(
            names = "--batch-bytes",
            paramLabel = "SIZE",
            description = "Size of a batch in the memory measurement (default: ${DEFAULT-VALUE} bytes).")
    private String batchSize = "128000000";

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        try {
            Path folder = Files.createTempDirectory(Files.createDirectories(work), "stoker-bench-feed");
            try {
                run(folder);
            } finally {
                Leftovers.delete(folder);
            }
        } catch (IOException e) {
            throw FileErrors.cannotWrite(work, e);
        }
        return 0;
    }

    private long bytes() {
        return Sizes.parse("--bytes", size);
    }

    private void run(Path folder) {
        long batchBytes = Sizes.parse("--batch-bytes", batchSize);
        Path many = folder.resolve("many.stk");
        FeedBench.makeSparse(many, bytes() / SMALL, SMALL);
        FeedBench.Seek seek = FeedBench.seek(many);
        Path large = folder.resolve("large.stk");
        FeedBench.makeSparse(large, bytes() / LARGE, LARGE);
        FeedBench.Memory memory = FeedBench.memory(large, Math.toIntExact(batchBytes / LARGE));
        Path few = folder.resolve("few.stk");
        FeedBench.makeSparse(few, 3000, SMALL);
        FeedBench.Growth growth = FeedBench.growth(few, 10, batches, folder.resolve("ledger"));
        report(seek, memory, growth).print(spec.commandLine().getOut(), json);
    }

    private Report report(FeedBench.Seek seek, FeedBench.Memory memory, FeedBench.Growth growth) {
        return new Report()
                .put("samples", bytes() / SMALL)
                .put("seek_first_ms", seek.firstMillis())
                .put("seek_ms", seek.medianMillis())
                .put("buffer_bytes", memory.bufferBytes())
                .put("grown_bytes", memory.grownBytes())
                .put("memory_ratio", memory.ratio())
                .put("batches", growth.batches())
                .put("seconds", growth.seconds())
                .put("early", use(growth.early()))
                .put("late", use(growth.late()))
                .line(String.format(
                        Locale.ROOT,
                        "first batch in the middle of epoch 1000 of %s samples: %.1f ms after opening (the first time %.1f ms)",
                        Human.count(bytes() / SMALL),
                        seek.medianMillis(),
                        seek.firstMillis()))
                .line(String.format(
                        Locale.ROOT,
                        "memory over %s: buffers of %s, the process grew by %s: %.3f of it",
                        Human.bytes(bytes()),
                        Human.bytes(memory.bufferBytes()),
                        Human.bytes(memory.grownBytes()),
                        memory.ratio()))
                .line(String.format(
                        Locale.ROOT,
                        "%s batches in %.0f s, at 10%% and at the end: file handles %d, %d; buffers %s, %s;"
                                + " process %s, %s",
                        Human.count(growth.batches()),
                        growth.seconds(),
                        growth.early().handles(),
                        growth.late().handles(),
                        Human.bytes(growth.early().bufferBytes()),
                        Human.bytes(growth.late().bufferBytes()),
                        Human.bytes(growth.early().processBytes()),
                        Human.bytes(growth.late().processBytes())));
    }

    private static Map<String, Object> use(FeedBench.Use use) {
        var values = new LinkedHashMap<String, Object>();
        values.put("handles", use.handles());
        values.put("buffer_bytes", use.bufferBytes());
        values.put("process_bytes", use.processBytes());
        return values;
    }
}
