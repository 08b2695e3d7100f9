package dev.stoker.testkit;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.dataset.Dataset;
import dev.stoker.feed.Feed;
import dev.stoker.io.Checksum;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import dev.stoker.transform.ConcatenatedSamples;
import dev.stoker.verify.Verifier;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Uses a container whose file is cut to half while it is open, in a process of its own, since the JVM may not survive it:
 * for {@link ShrinkingFileTest}. Prints one sentence.
 */
final class ShrinkingProcess {
    private ShrinkingProcess() {}

    /** Arguments: what to do, FILE. */
    public static void main(String[] args) throws IOException {
        Path file = Path.of(args[1]);
        try {
            System.out.println(
                    switch (args[0]) {
                        case "verify" -> verify(file);
                        case "checksum" -> checksum(file);
                        case "read" -> read(file);
                        case "feed" -> feed(file);
                        default -> throw new IllegalArgumentException(args[0]);
                    });
        } catch (StokerException e) {
            System.out.println("refused: " + e.getMessage());
        }
    }

    private static void cut(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(Files.size(file) / 2);
        }
    }

    private static String verify(Path file) throws IOException {
        try (Container container = Container.open(file)) {
            cut(file);
            Verifier.Report report = Verifier.verify(container, 2, new Progress());
            long values = report.listed().stream()
                    .filter(damage -> damage.kind() == Verifier.Kind.VALUE)
                    .count();
            return "damaged values: " + values + " of " + report.checked() + ": "
                    + report.listed().getLast().reason();
        }
    }

    private static String checksum(Path file) throws IOException {
        try (Container container = Container.open(file)) {
            cut(file);
            int data = container.schema().place(Field.DATA);
            int sum = 0;
            try {
                for (long i = 0; i < container.count(); i++) {
                    sum += Checksum.of(container.value(i, data));
                }
            } catch (InternalError e) {
                return "an error of the JVM, after " + (sum == 0 ? "nothing" : "some");
            }
            return "nothing";
        }
    }

    private static String read(Path file) throws IOException {
        try (Samples samples = ConcatenatedSamples.open(List.of(file))) {
            cut(file);
            int data = samples.schema().place(Field.DATA);
            for (long i = 0; i < samples.count(); i++) {
                Same.bytes(samples, i, data);
            }
            return "nothing";
        }
    }

    private static String feed(Path file) throws IOException {
        try (var data = Dataset.open(file);
                var feed = Feed.of(data).batch(8).start()) {
            cut(file);
            while (feed.hasNext()) {
                feed.next();
            }
            return "nothing";
        }
    }
}
