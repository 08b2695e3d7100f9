package dev.stoker.bench.sweep;

import dev.stoker.bench.Figures;
import dev.stoker.bench.sweep.Setting.Change;
import dev.stoker.text.Sizes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The figures of a sweep in sentences. A difference counts if it has the same sign in every round; what does not count is
 * said to be within the spread.
 */
public final class Answers {
    private final SweepResult result;

    private Answers(SweepResult result) {
        this.result = result;
    }

    /** The best choice first, then the question of each setting. */
    public static List<Answer> of(SweepResult result) {
        var answers = new Answers(result);
        return List.of(
                new Answer("Which format, and which settings?", answers.best()),
                new Answer("What does mapping the file change?", answers.mapping()),
                new Answer("What does a fixed sample length change?", answers.fixedLength()),
                new Answer("What does shuffling change?", answers.shuffling()),
                new Answer("What do more workers change?", answers.workers()),
                new Answer("What if the data isn't cached yet?", answers.cold()));
    }

    private String best() {
        Measurement best = result.best().orElse(null);
        if (best == null) {
            return "Nothing could be measured; the reasons are below.";
        }
        var sentence = new StringBuilder(String.format(
                Locale.ROOT,
                "%s, %s, with %s: %s samples/s (%s/s).",
                best.format(),
                best.isMapped() ? "mapped" : "by positional reads",
                workers(best.setting().workers()),
                Figures.rate(best.samplesPerSecond()),
                Sizes.human(best.bytesPerSecond())));
        List<Measurement> rivals = result.ranked(best.setting()).stream()
                .filter(each -> each != best)
                .toList();
        List<String> ties = rivals.stream()
                .filter(each -> Comparison.of(each, best).isTie())
                .map(Measurement::format)
                .toList();
        if (!ties.isEmpty()) {
            sentence.append(' ')
                    .append(Figures.list(ties))
                    .append(ties.size() == 1 ? " is" : " are")
                    .append(" too close to call.");
        }
        if (!rivals.isEmpty() && !ties.contains(rivals.getLast().format())) {
            Measurement last = rivals.getLast();
            sentence.append(String.format(
                    Locale.ROOT,
                    " The slowest with the same settings is %s: %s samples/s, %s times slower.",
                    last.format(),
                    Figures.rate(last.samplesPerSecond()),
                    Figures.ratio(best.samplesPerSecond() / last.samplesPerSecond())));
        }
        return sentence.toString();
    }

    private String mapping() {
        return effect("Mapping", Change.MMAP, Setting::mmap, "--use-mmap and --no-use-mmap");
    }

    private String fixedLength() {
        if (!result.workload().isGenerated()) {
            return result.base().fixedLength()
                    ? "Not measured: all your samples have the same length."
                    : "Not measured: the lengths of your samples are fixed by your data.";
        }
        return effect("A fixed length", Change.FIXED_LENGTH, Setting::fixedLength, "--fixed-length");
    }

    private String shuffling() {
        return effect("Shuffling", Change.SHUFFLE, Setting::shuffle, "--shuffle");
    }

    private String cold() {
        List<Setting> changed = result.changed(Change.COLD);
        String effect = effect("Reading from storage", Change.COLD, Setting::cold, "--cold");
        Setting cold = changed.isEmpty() ? result.base() : changed.getFirst();
        List<Measurement> ranked = cold.cold() ? result.ranked(cold) : List.of();
        if (ranked.isEmpty()) {
            return effect;
        }
        return effect
                + String.format(
                        Locale.ROOT,
                        " From storage, %s is fastest (%s samples/s) and %s slowest (%s).",
                        ranked.getFirst().format(),
                        Figures.rate(ranked.getFirst().samplesPerSecond()),
                        ranked.getLast().format(),
                        Figures.rate(ranked.getLast().samplesPerSecond()));
    }

    /** What a setting that is on or off does when it is on. */
    private String effect(String subject, Change change, Predicate<Setting> isOn, String option) {
        List<Setting> changed = result.changed(change);
        if (changed.isEmpty()) {
            return "Not compared: everything was measured with one setting. Drop " + option + " to compare.";
        }
        Setting on = isOn.test(result.base()) ? result.base() : changed.getFirst();
        Setting off = isOn.test(result.base()) ? changed.getFirst() : result.base();
        List<Comparison> all = result.compared(on, off);
        if (all.isEmpty()) {
            String reason = result.failures().stream()
                    .filter(each -> each.setting().equals(changed.getFirst()))
                    .map(each -> ": " + each.failed())
                    .findFirst()
                    .orElse("");
            return "Not compared: no format could be measured with both settings" + reason + ".";
        }
        return Effect.sentence(subject, all);
    }

    private String workers() {
        List<Setting> curve = result.workerCurve();
        if (curve.size() < 2) {
            return "Not compared: everything was measured with "
                    + workers(result.base().workers()) + ". Drop --num-workers, or give several numbers, to compare.";
        }
        Setting fewest = curve.getFirst();
        var parts = new ArrayList<String>();
        for (Setting more : curve.subList(1, curve.size())) {
            List<Comparison> all = result.compared(more, fewest);
            if (!all.isEmpty()) {
                parts.add(workers(more.workers()) + ", " + Effect.range(all));
            }
        }
        return "Compared with " + workers(fewest.workers()) + ": " + String.join("; ", parts) + ". " + fastest(curve);
    }

    /** With how many workers most formats are fastest, and which with more or fewer. */
    private String fastest(List<Setting> curve) {
        var fastest = new TreeMap<Integer, List<String>>();
        for (String format : result.formats()) {
            curve.stream()
                    .flatMap(setting -> result.measured(format, setting).stream())
                    .max(Comparator.comparingDouble(Measurement::samplesPerSecond))
                    .ifPresent(best -> fastest.computeIfAbsent(best.setting().workers(), _ -> new ArrayList<>())
                            .add(format));
        }
        var parts = new ArrayList<String>();
        fastest.forEach((count, formats) -> parts.add(Figures.list(formats) + " with " + count));
        return "This machine has " + result.machine().cores()
                + (result.machine().cores() == 1 ? " core" : " cores") + " available; fastest: "
                + String.join("; ", parts) + ".";
    }

    private static String workers(int count) {
        return count + (count == 1 ? " worker" : " workers");
    }
}
