package dev.stoker.bench.sweep;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * What a sweep found.
 *
 * @param samples that each container has
 * @param bytes of them
 * @param settings the base first
 * @param notes what a reader has to know to take the figures for what they are
 */
public record SweepResult(
        Machine machine,
        Workload workload,
        long samples,
        long bytes,
        int repeats,
        double seconds,
        List<Setting> settings,
        List<String> formats,
        List<Measurement> measurements,
        List<String> notes) {

    public Setting base() {
        return settings.getFirst();
    }

    /** The figures of a format with a setting; empty if there are none. */
    public Optional<Measurement> measured(String format, Setting setting) {
        return measurements.stream()
                .filter(each -> each.format().equals(format) && each.setting().equals(setting))
                .filter(Measurement::isMeasured)
                .findFirst();
    }

    /** All figures with a setting, the fastest first. */
    public List<Measurement> ranked(Setting setting) {
        return measurements.stream()
                .filter(each -> each.isMeasured() && each.setting().equals(setting))
                .sorted((a, b) -> Double.compare(b.samplesPerSecond(), a.samplesPerSecond()))
                .toList();
    }

    /** The settings that differ from the base in this. */
    public List<Setting> changed(Setting.Change change) {
        return settings.stream()
                .filter(setting -> setting.changeFrom(base()) == change)
                .toList();
    }

    /** The base with each number of workers, the fewest first. */
    public List<Setting> workerCurve() {
        return settings.stream()
                .filter(setting -> setting.withWorkers(base().workers()).equals(base()))
                .sorted(Comparator.comparingInt(Setting::workers))
                .toList();
    }

    /** The formats by their speed with the base setting; last those that could not be measured with it. */
    public List<String> formatsByRank() {
        var names = new LinkedHashSet<String>();
        ranked(base()).forEach(each -> names.add(each.format()));
        names.addAll(formats);
        return List.copyOf(names);
    }

    /** How many times as fast one setting is as another, of every format that has both; the slowest first. */
    public List<Comparison> compared(Setting one, Setting other) {
        var all = new ArrayList<Comparison>();
        for (String format : formats) {
            measured(format, one)
                    .ifPresent(first ->
                            measured(format, other).ifPresent(second -> all.add(Comparison.of(first, second))));
        }
        all.sort(Comparator.comparingDouble(Comparison::ratio));
        return all;
    }

    /** Whatever could not be measured, with its reason. */
    public List<Measurement> failures() {
        return measurements.stream().filter(each -> !each.isMeasured()).toList();
    }

    /** The failures as lines: each reason of each format once, with the settings that it concerns. */
    public List<String> failureLines() {
        var lines = new LinkedHashMap<String, List<String>>();
        for (Measurement each : failures()) {
            lines.computeIfAbsent(each.format() + "\n" + each.failed(), _ -> new ArrayList<>())
                    .add(each.setting().nameFrom(base()));
        }
        return lines.entrySet().stream()
                .map(line -> line.getKey().replace("\n", " (" + String.join(", ", line.getValue()) + "): "))
                .toList();
    }

    /**
     * The fastest of what a user can choose between without changing what a training gets: the format, mapping, and the
     * number of workers.
     */
    public Optional<Measurement> best() {
        return measurements.stream()
                .filter(Measurement::isMeasured)
                .filter(each -> switch (each.setting().changeFrom(base())) {
                    case NONE, MMAP, WORKERS -> true;
                    default -> false;
                })
                .max((a, b) -> Double.compare(a.samplesPerSecond(), b.samplesPerSecond()));
    }
}
