package dev.stoker.bench.advise;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.container.FormatDetector;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import dev.stoker.index.Placement;
import dev.stoker.io.MappedFile;
import dev.stoker.os.FileErrors;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Looks at a container; nothing is written beside it, also if its samples have to be found first. */
final class ContainerLook {
    private static final int MOST_SAMPLED = 4096;

    private ContainerLook() {}

    /** Whether a path is a container, not a folder of files. */
    static boolean isContainer(Path path) {
        return !Files.isDirectory(Formats.fileOf(path)) || Sidecar.isBeside(path);
    }

    /** Looks, but no longer than so many seconds: finding the samples of a large archive may take hours. */
    static DataSurvey look(Path path, double seconds) {
        var look = new FutureTask<>(() -> look(path));
        Thread.ofPlatform().daemon().name("stoker-advise-container").start(look);
        try {
            return look.get((long) (seconds * 1000), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new StokerException(
                    path,
                    "finding its samples takes longer than " + (long) seconds + " s; do that once with: stoker index "
                            + ShellWord.of(path) + ", or increase --seconds",
                    e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StokerException("interrupted", e);
        }
    }

    private static DataSurvey look(Path place) {
        Path path = Formats.fileOf(place);
        boolean isFolder = Files.isDirectory(path);
        String format = isFolder ? "" : format(path);
        boolean hasIndex = isFolder || format.equals(FormatAdvice.STK) || Sidecar.isThere(path);
        try (Container container = hasIndex ? Container.open(path) : Container.openAnew(path, format)) {
            return seen(container, path, hasIndex);
        }
    }

    private static String format(Path path) {
        try (MappedFile file = MappedFile.open(path)) {
            return FormatDetector.of(file).name();
        }
    }

    private static DataSurvey seen(Container container, Path path, boolean hasIndex) {
        if (container.count() == 0) {
            throw new StokerException(path, "has no samples, so there is nothing to advise on");
        }
        int data = Math.max(0, container.schema().find(Field.DATA));
        var random = new SplittableRandom(1);
        var sizes = new long[(int) Math.min(MOST_SAMPLED, container.count())];
        for (int i = 0; i < sizes.length; i++) {
            long sample = container.count() <= MOST_SAMPLED ? i : random.nextLong(container.count());
            sizes[i] = container.length(sample, data);
        }
        SizeSpread spread = SizeSpread.of(sizes);
        FieldType type = container.schema().type(data);
        Format format = Formats.named(container.format());
        boolean isLoose = container.index().placement(data).place() == Placement.Place.TREE;
        boolean isInBlocks = container.index().placement(data).place() == Placement.Place.BLOCKS;
        var facts = new DataSurvey.ContainerFacts(
                container.format(),
                container.schema().fields().stream()
                        .map(field -> field.name() + " " + field.type().label())
                        .toList(),
                format.isArchive(),
                isLoose,
                hasIndex,
                isInBlocks ? compressedBlocks(container) : 0,
                isLoose ? 0 : size(path));
        return new DataSurvey(
                container.count(),
                0,
                true,
                sizes.length,
                (long) (spread.mean() * container.count()),
                spread,
                Map.of(),
                type instanceof FieldType.Tensor || type instanceof FieldType.Array ? type.label() : null,
                null,
                0,
                Double.NaN,
                DataSurvey.Problems.NONE,
                facts);
    }

    /** Blocks may also be whole files that are stored as they are. */
    private static long compressedBlocks(Container container) {
        var table = container.index().blocks();
        boolean isDecoded = table.pipelines().stream()
                .anyMatch(pipeline -> !pipeline.steps().isEmpty());
        return isDecoded ? table.count() : 0;
    }

    private static long size(Path path) {
        try {
            return Files.size(path);
        } catch (IOException e) {
            throw FileErrors.cannotRead(path, e);
        }
    }
}
