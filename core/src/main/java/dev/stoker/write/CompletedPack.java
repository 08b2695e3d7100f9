package dev.stoker.write;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import dev.stoker.verify.Verifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A container that an earlier pack completed. Nothing is left to do if it holds the samples, which only reading both shows. */
record CompletedPack(Path output, String format) {

    /** Compares every value, and writes nothing. */
    void require(Samples samples, int workers, Progress progress) {
        try (Container container = Container.open(output, format)) {
            for (Field field : samples.schema().fields()) {
                if (container.schema().find(field.name()) < 0) {
                    throw others("it has no field '" + field.name() + "'");
                }
            }
            if (!container.splits().equals(samples.splits())) {
                throw others("its splits are " + container.splits() + " instead of " + samples.splits());
            }
            Verifier.Report report = Verifier.against(container, samples, workers, progress);
            if (!report.isIntact()) {
                Verifier.Damage first = report.listed().getFirst();
                String place = first.sample() < 0 ? "" : "sample " + first.sample() + ", '" + first.field() + "': ";
                throw others(place + first.reason());
            }
        }
    }

    private StokerException others(String reason) {
        return new StokerException(
                output, "already exists and holds other samples: " + reason + "; use --force to overwrite it");
    }

    long bytes() {
        try (Stream<Path> all = Files.walk(output)) {
            long bytes = 0;
            for (Path file : all.filter(FileProbe::isFile).toList()) {
                bytes += Files.size(file);
            }
            return bytes;
        } catch (IOException e) {
            throw FileErrors.cannotRead(output, e);
        }
    }
}
