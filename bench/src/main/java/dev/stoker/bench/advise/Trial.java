package dev.stoker.bench.advise;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.dataset.Dataset;
import dev.stoker.feed.Feed;
import dev.stoker.feed.ReadMode;
import dev.stoker.format.BlockPlan;
import dev.stoker.format.BlockPlanner;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.StkFormat;
import dev.stoker.io.ScratchFile;
import dev.stoker.json.Json;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.manifest.ManifestSource;
import dev.stoker.os.AvailableCores;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import dev.stoker.write.Compressibility;
import dev.stoker.write.Packer;
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
    private static final long MOST_BYTES = 128L << 20;
    private static final long BLOCK_BYTES = 1 << 20;
    private static final int BATCH = 64;
    /** Of fewer files a figure says nothing, unless they are large. */
    private static final int FEWEST = 32;
    /** So many bytes take long enough to read, however few files they are. */
    private static final long ENOUGH_BYTES = 32L << 20;
    /** Of these the best of each kind counts: whatever else the machine does makes a round slower, never faster. */
    private static final int ROUNDS = 6;

    /**
     * What came of it.
     *
     * @param packed null if it could not be packed, or not fed for long enough
     * @param remains the part of the bytes that compressing leaves; not a number if that was not tried
     * @param problem why there are no figures; empty if there are
     */
    record Outcome(StorageTrial.@Nullable Packed packed, double remains, String problem) {}

    private Trial() {}

    /** Tries some files. */
    static Outcome run(Path root, List<FileLook.Look> some, double seconds) {
        if (some.size() < FEWEST && some.stream().mapToLong(FileLook.Look::size).sum() < ENOUGH_BYTES) {
            return new Outcome(null, Double.NaN, "");
        }
        try (var folder = ScratchFolder.create(ScratchFile.folder())) {
            Path manifest = folder.path().resolve("files.jsonl");
            Files.write(manifest, lines(some));
            Path packed = folder.path().resolve("trial.stk");
            try (Samples samples = ManifestSource.list(root, manifest, StorageTrial.MANY, BadFilePolicy.skipped())) {
                var settings = new Packer.Settings(FormatOptions.NONE, StorageTrial.MANY, false, false, false);
                new Packer(samples, new StkFormat(), packed, settings, new Progress()).run();
            }
            try (Container samples = Container.open(packed)) {
                return new Outcome(compare(root, some, packed, seconds), remains(samples), "");
            }
        } catch (IOException | StokerException e) {
            return new Outcome(null, Double.NaN, "the trial pack failed: " + e.getMessage());
        }
    }

    /**
     * As many as are packed in the given time by what was measured before, and some at least. Packing asks for a file
     * up to three times: its size, its header, its bytes.
     */
    static List<FileLook.Look> some(List<FileLook.Look> files, StorageTrial.@Nullable Reads reads, double seconds) {
        double mostFiles = reads == null ? 0 : reads.many().reads() * seconds / 3;
        double mostBytes = reads == null ? 0 : Math.min(MOST_BYTES, reads.many().bytes() * seconds);
        var some = new ArrayList<FileLook.Look>();
        long bytes = 0;
        for (FileLook.Look file : files) {
            boolean isCheap = some.size() < mostFiles && bytes + file.size() <= mostBytes;
            if (isCheap || (some.size() < FEWEST && bytes + file.size() <= MOST_BYTES / 8)) {
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

    /** Feeds and reads the loose files in turn, so that both meet the machine in the same state. */
    private static StorageTrial.@Nullable Packed compare(
            Path root, List<FileLook.Look> some, Path packed, double seconds) {
        List<ReadProbe.Target> targets = some.stream()
                .map(file -> new ReadProbe.Target(Contents.path(root, file), file.size()))
                .toList();
        double best = 0;
        double loose = 0;
        try (Dataset data = Dataset.open(packed);
                Feed feed = Feed.of(data)
                        .batch((int) Math.min(BATCH, data.count()))
                        .shuffle(1)
                        .read(ReadMode.MAP)
                        .fields(Field.DATA)
                        .threads(AvailableCores.allocated())
                        .endless()
                        .start()) {
            deliver(feed, seconds / 2); // until the JVM knows the code
            for (int round = 0; round < ROUNDS; round++) {
                best = Math.max(best, deliver(feed, seconds / 2 / ROUNDS));
                StorageTrial.Pace pace = ReadProbe.readWhole(targets, seconds / 2 / ROUNDS);
                loose = pace == null ? loose : Math.max(loose, pace.reads());
            }
            return best == 0 || loose == 0 ? null : new StorageTrial.Packed(best, loose, (int) data.count());
        }
    }

    /** Samples per second. */
    private static double deliver(Feed feed, double seconds) {
        Deadline deadline = Deadline.after(seconds);
        long start = System.nanoTime();
        long samples = 0;
        while (!deadline.isOver() && feed.hasNext()) {
            samples += feed.next().size();
        }
        return samples / ((System.nanoTime() - start) / 1e9);
    }

    private static double remains(Samples samples) {
        try {
            List<Integer> fields = List.of(samples.schema().place(Field.DATA));
            var cut = new BlockPlan(fields, BlockPlanner.groups(samples, fields, BLOCK_BYTES), CODEC, false, true);
            return cut.blocks() == 0
                    ? Double.NaN
                    : Compressibility.measure(samples, cut).ratio();
        } catch (StokerException e) {
            return Double.NaN;
        }
    }
}
