package dev.stoker.bench.advise;

import dev.stoker.StokerException;
import dev.stoker.feed.Dataset;
import dev.stoker.feed.Feed;
import dev.stoker.feed.ReadMode;
import dev.stoker.format.BlockCut;
import dev.stoker.format.BlockCutter;
import dev.stoker.format.Options;
import dev.stoker.format.StkFormat;
import dev.stoker.json.Json;
import dev.stoker.memory.Cores;
import dev.stoker.memory.ScratchFile;
import dev.stoker.pack.BadFiles;
import dev.stoker.pack.Compressibility;
import dev.stoker.pack.ManifestSource;
import dev.stoker.pack.Packer;
import dev.stoker.pack.Progress;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Packs some of the files on trial, feeds them from memory and compresses some of them: what the advice promises was done
 * with the user's own samples. It happens in a folder of its own below the one for temporary files.
 */
final class Trial {
    static final String CODEC = "zstd";
    private static final long MOST_BYTES = 64L << 20;
    private static final long BLOCK_BYTES = 1 << 20;
    private static final int BATCH = 64;

    /**
     * What came of it.
     *
     * @param packed null if it could not be packed, or not fed for long enough
     * @param remains the part of the bytes that compressing leaves; not a number if that was not tried
     * @param problem why there are no figures; empty if there are
     */
    record Outcome(Measured.@Nullable Packed packed, double remains, String problem) {}

    private Trial() {}

    /** Tries some of the files. */
    static Outcome run(Path root, List<FileLook.Look> files, double seconds) {
        List<FileLook.Look> some = some(files);
        if (some.isEmpty()) {
            return new Outcome(null, Double.NaN, "the files are too large to pack some of them on trial");
        }
        try (var folder = ScratchFolder.create(ScratchFile.folder())) {
            Path manifest = folder.path().resolve("files.jsonl");
            Files.write(manifest, lines(some));
            Path packed = folder.path().resolve("trial.stk");
            try (Samples samples =
                    ManifestSource.list(root, manifest, Measured.MANY, BadFiles.skipped())) {
                var settings = new Packer.Settings(Options.NONE, Measured.MANY, false, false, false);
                new Packer(samples, new StkFormat(), packed, settings, new Progress()).run();
                double remains = remains(samples);
                return new Outcome(feed(packed, seconds), remains, "");
            }
        } catch (IOException | StokerException e) {
            return new Outcome(null, Double.NaN, "nothing was packed on trial: " + e.getMessage());
        }
    }

    private static List<FileLook.Look> some(List<FileLook.Look> files) {
        var some = new ArrayList<FileLook.Look>();
        long bytes = 0;
        for (FileLook.Look file : files) {
            if (bytes + file.size() <= MOST_BYTES) {
                some.add(file);
                bytes += file.size();
            }
        }
        return some;
    }

    private static List<String> lines(List<FileLook.Look> files) {
        var lines = new ArrayList<String>();
        for (FileLook.Look file : files) {
            lines.add(Json.write(Map.of("path", new String(file.name(), StandardCharsets.UTF_8))));
        }
        return lines;
    }

    /** Feeds until the time is over; the first half, in which the JVM gets to know the code, does not count. */
    private static Measured.@Nullable Packed feed(Path packed, double seconds) {
        try (Dataset data = Dataset.open(packed);
                Feed feed = data.feed()
                        .batch((int) Math.min(BATCH, data.count()))
                        .shuffle(1)
                        .read(ReadMode.MAP)
                        .fields(Field.DATA)
                        .threads(Cores.allocated())
                        .endless()
                        .start()) {
            deliver(feed, seconds / 2);
            long start = System.nanoTime();
            long samples = deliver(feed, seconds / 2);
            double took = (System.nanoTime() - start) / 1e9;
            return samples == 0 ? null : new Measured.Packed(samples / took, Math.toIntExact(data.count()));
        }
    }

    private static long deliver(Feed feed, double seconds) {
        Deadline deadline = Deadline.after(seconds);
        long samples = 0;
        while (!deadline.isOver() && feed.hasNext()) {
            samples += feed.next().size();
        }
        return samples;
    }

    private static double remains(Samples samples) {
        try {
            List<Integer> fields = List.of(samples.schema().place(Field.DATA));
            var cut = new BlockCut(fields, BlockCutter.groups(samples, fields, BLOCK_BYTES), CODEC, false, true);
            return cut.blocks() == 0
                    ? Double.NaN
                    : Compressibility.measure(samples, cut).ratio();
        } catch (StokerException e) {
            return Double.NaN;
        }
    }
}
