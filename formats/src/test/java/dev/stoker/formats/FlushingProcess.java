package dev.stoker.formats;

import dev.stoker.StokerException;
import dev.stoker.collect.Collector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * A process that gives two samples to a {@link Collector}, flushes each, and writes to a file what it was told: for {@link
 * CollectorTest}, which lets it stand still in a system call.
 */
final class FlushingProcess {
    private FlushingProcess() {}

    /** Arguments: OUT TOLD. */
    public static void main(String[] args) throws IOException {
        Path told = Path.of(args[1]);
        var settings = new Collector.Settings(64 << 10, Duration.ofHours(1), false);
        var random = new SplittableRandom(1);
        try (var collector = Collector.open(Path.of(args[0]), CollectingProcess.SCHEMA, 0, 1, settings)) {
            for (int i = 0; i < 2; i++) {
                CollectingProcess.append(collector, random, 0, i, i);
                collector.flush();
                tell(told, "flushed " + collector.written());
            }
            collector.close();
            tell(told, "done");
        } catch (StokerException e) {
            tell(told, "refused " + e.getMessage());
        }
    }

    private static void tell(Path told, String line) throws IOException {
        Files.writeString(told, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
