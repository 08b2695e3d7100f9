package dev.stoker.bench.sweep;

import dev.stoker.StokerException;
import dev.stoker.bench.Leftovers;
import dev.stoker.concurrent.Progress;
import dev.stoker.format.Format;
import dev.stoker.io.OutputFile;
import dev.stoker.os.FileErrors;
import dev.stoker.sample.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Packs samples into every format and measures every setting: one round to warm up, in which every byte is compared, then
 * rounds that count. Those that read from memory come first, since a cold pass leaves its files out of memory.
 */
public final class Sweep {
    /** Below the root; what is in it is the sweep's own. */
    public static final String CONTAINERS = "bench-containers";

    private static final double PASS_SECONDS = 0.3;
    /** The first passes run in a JVM that does not know the code yet, so they say too little. */
    private static final int CALIBRATIONS = 2;

    private static final long MOST_EPOCHS = 10_000;
    private static final int PACK_PATIENCE = 10;
    private static final long MEMORY = 256L << 20;
    private static final long BATCHES_IN_MEMORY = 6;

    private final Request request;
    private final Progress progress;
    private final BooleanSupplier stopped;
    private final Path folder;
    private final Launch launch;
    private final Map<Boolean, SweepSize> censuses = new TreeMap<>();
    private final List<Entry> entries = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /**
     * What to measure.
     *
     * @param limit how long one pass may take; packing may take ten times as long
     * @param keep whether the containers stay
     */
    public record Request(
            Path root,
            List<Format> formats,
            Workload workload,
            SettingChoices choices,
            int repeats,
            Duration limit,
            boolean keep) {}

    /** A format with a setting, and the process that measures it. */
    private record Entry(Contestant contestant, Measurement measurement) {}

    /**
     * Describes a sweep.
     *
     * @param stopped asked between two passes whether to give up
     */
    public Sweep(Request request, Progress progress, BooleanSupplier stopped) {
        this(request, progress, stopped, Launch.here(request.workload(), folder(request)));
    }

    Sweep(Request request, Progress progress, BooleanSupplier stopped, Launch launch) {
        this.request = request;
        this.progress = progress;
        this.stopped = stopped;
        this.launch = launch;
        this.folder = folder(request);
    }

    private static Path folder(Request request) {
        return request.root().toAbsolutePath().resolve(CONTAINERS);
    }

    /** Measures. What fails is in the result, and everything else goes on. */
    public SweepResult run() {
        long start = System.nanoTime();
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(folder, e);
        }
        var contestants = new ArrayList<Contestant>();
        try {
            List<Setting> settings = settings();
            Room.require(folder, request.formats(), censuses.values());
            for (Format format : request.formats()) {
                String name = format.name();
                var contestant = new Contestant(name, launch.command(name), folder.resolve(name + ".log"));
                contestants.add(contestant);
                settings.forEach(setting -> entries.add(new Entry(contestant, new Measurement(name, setting))));
            }
            packAll(contestants, settings);
            measureAll();
            SweepSize census = census(settings.getFirst());
            return new SweepResult(
                    Machine.of(folder),
                    request.workload(),
                    census.samples(),
                    census.bytes(),
                    request.repeats(),
                    (System.nanoTime() - start) / 1e9,
                    settings,
                    contestants.stream().map(Contestant::format).toList(),
                    entries.stream().map(Entry::measurement).toList(),
                    List.copyOf(notes));
        } finally {
            contestants.forEach(Contestant::close);
            if (!request.keep()) {
                Leftovers.delete(folder);
            }
        }
    }

    private List<Setting> settings() {
        progress.phase("reading the samples");
        Workload workload = request.workload();
        SettingChoices choices = request.choices();
        if (!workload.isGenerated()) {
            SweepSize census = census(workload, false);
            choices = choices.suiting(workload, census);
            censuses.put(census.isFixed(), census);
            return choices.settings();
        }
        for (boolean fixed : choices.fixedLength()) {
            censuses.put(fixed, census(workload, fixed));
        }
        return choices.suiting(workload, censuses.values().iterator().next()).settings();
    }

    private static SweepSize census(Workload workload, boolean fixed) {
        try (Samples samples = workload.open(fixed, false)) {
            return SweepSize.of(samples);
        }
    }

    private SweepSize census(Setting setting) {
        SweepSize census = censuses.get(setting.fixedLength());
        if (census == null) {
            throw new IllegalStateException("samples of this kind were not counted");
        }
        return census;
    }

    private void packAll(List<Contestant> contestants, List<Setting> settings) {
        progress.begin("packing", (long) contestants.size() * censuses.size(), 0);
        for (Contestant contestant : contestants) {
            for (boolean fixed : censuses.keySet()) {
                List<Measurement> concerned = entries.stream()
                        .filter(entry -> entry.contestant() == contestant)
                        .map(Entry::measurement)
                        .filter(each -> each.setting().fixedLength() == fixed)
                        .toList();
                pack(contestant, fixed, concerned);
                progress.add(1, 0);
            }
        }
        long bytes = entries.stream()
                .map(entry -> entry.measurement().packed())
                .filter(packed -> packed != null)
                .distinct()
                .mapToLong(Packed::bytes)
                .sum();
        notes.addAll(Notes.of(bytes, Machine.of(folder), settings));
    }

    private void pack(Contestant contestant, boolean fixed, List<Measurement> concerned) {
        var ask = new LinkedHashMap<String, @Nullable Object>();
        ask.put("do", "pack");
        ask.put("fixed_length", fixed);
        try {
            Packed packed = Packed.of(contestant.ask(ask, request.limit().multipliedBy(PACK_PATIENCE)));
            for (Measurement measurement : concerned) {
                measurement.packed(packed);
                String refusal = packed.mapping()
                        .refusal(
                                measurement.setting(),
                                entries.getFirst().measurement().setting());
                if (refusal != null) {
                    measurement.fail(refusal);
                }
            }
        } catch (StokerException e) {
            requireGoingOn();
            concerned.forEach(measurement -> measurement.fail(String.valueOf(e.getMessage())));
        }
    }

    private void measureAll() {
        List<Entry> warm = entries.stream()
                .filter(entry -> !entry.measurement().setting().cold())
                .toList();
        List<Entry> cold = entries.stream()
                .filter(entry -> entry.measurement().setting().cold())
                .toList();
        long passes = (long) (1 + CALIBRATIONS + request.repeats()) * warm.size()
                + (long) (1 + request.repeats()) * cold.size();
        progress.begin("measuring", passes, 0);
        // The first pass compares every byte; the others say how long a pass takes.
        warm.forEach(entry -> pass(entry, 0, true));
        for (int i = 0; i < CALIBRATIONS; i++) {
            warm.forEach(this::calibrate);
        }
        rounds(warm);
        if (!cold.isEmpty()) {
            OutputFile.syncFilesystemOf(folder); // what is not written cannot be dropped
        }
        cold.forEach(entry -> pass(entry, 0, true));
        rounds(cold);
    }

    /** Each once in every round, in an order of that round's own. */
    private void rounds(List<Entry> some) {
        for (int round = 1; round <= request.repeats(); round++) {
            var order = new ArrayList<>(some);
            Collections.shuffle(order, new Random(request.workload().seed() + round));
            for (Entry entry : order) {
                Pass pass = pass(entry, round, false);
                if (pass != null) {
                    entry.measurement().add(pass);
                }
            }
        }
    }

    /** Short passes are made of several epochs, so that starting a feed is not what is measured. */
    private void calibrate(Entry entry) {
        Pass pass = pass(entry, 0, false);
        if (pass != null) {
            Measurement measurement = entry.measurement();
            long epochs = (long) Math.ceil(measurement.epochs() * PASS_SECONDS / pass.seconds());
            measurement.epochs(Math.clamp(epochs, 1, MOST_EPOCHS));
        }
    }

    private @Nullable Pass pass(Entry entry, int round, boolean digests) {
        Measurement measurement = entry.measurement();
        requireGoingOn();
        progress.add(1, 0);
        if (measurement.failed() != null) {
            return null;
        }
        Setting setting = measurement.setting();
        SweepSize census = census(setting);
        Map<String, @Nullable Object> ask = setting.toJson();
        ask.put("do", "pass");
        ask.put("epochs", measurement.epochs());
        ask.put("memory", Math.max(MEMORY, BATCHES_IN_MEMORY * census.longest() * setting.batch()));
        ask.put("seed", request.workload().seed() + round);
        ask.put("digests", digests);
        try {
            Pass pass = Pass.of(entry.contestant().ask(ask, request.limit()));
            requireAll(pass, census, measurement.epochs(), digests);
            return pass;
        } catch (StokerException e) {
            requireGoingOn();
            measurement.fail(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static void requireAll(Pass pass, SweepSize census, long epochs, boolean digests) {
        if (pass.samples() != census.samples() * epochs || pass.bytes() != census.bytes() * epochs) {
            throw new StokerException("it should deliver " + census.samples() * epochs + " samples of "
                    + census.bytes() * epochs + " bytes but delivered " + pass.samples() + " of " + pass.bytes());
        }
        if (digests && pass.digest() != census.digest()) {
            throw new StokerException("it delivered bytes that differ from what was packed");
        }
    }

    private void requireGoingOn() {
        if (stopped.getAsBoolean()) {
            throw new StokerException("stopped; nothing was reported");
        }
    }
}
