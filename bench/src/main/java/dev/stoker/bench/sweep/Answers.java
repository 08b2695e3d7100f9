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
                new Answer("How does mapping the file change reading?", answers.mapping()),
                new Answer("How do samples of one fixed length change it?", answers.fixedLength()),
                new Answer("How does shuffling change it?", answers.shuffling()),
                new Answer("How does reading with several workers change it?", answers.workers()),
                new Answer("And when the data are not in memory yet?", answers.cold()));
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
            sentence.append(" Not told apart from it by these rounds: ")
                    .append(Figures.list(ties))
                    .append('.');
        }
        if (!rivals.isEmpty() && !ties.contains(rivals.getLast().format())) {
            Measurement last = rivals.getLast();
            sentence.append(String.format(
                    Locale.ROOT,
                    " The slowest with the same settings is %s: %s samples/s, %s times less.",
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
                    ? "Not asked: your samples all have the same length."
                    : "Not asked: your samples have the lengths that they have.";
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
                        " From storage the fastest is %s (%s samples/s), the slowest %s (%s).",
                        ranked.getFirst().format(),
                        Figures.rate(ranked.getFirst().samplesPerSecond()),
                        ranked.getLast().format(),
                        Figures.rate(ranked.getLast().samplesPerSecond()));
    }

    /** What a setting that is on or off does when it is on. */
    private String effect(String subject, Change change, Predicate<Setting> isOn, String option) {
        List<Setting> changed = result.changed(change);
        if (changed.isEmpty()) {
            return "Not compared: all was measured one way only. Leave out " + option + " to compare.";
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
            return "Not compared: no format could be measured both ways" + reason + ".";
        }
        return Effect.sentence(subject, all);
    }

    private String workers() {
        List<Setting> curve = result.workerCurve();
        if (curve.size() < 2) {
            return "Not compared: all was measured with "
                    + workers(result.base().workers()) + ". Leave out --num-workers, or give several, to compare.";
        }
        Setting fewest = curve.getFirst();
        var parts = new ArrayList<String>();
        for (Setting more : curve.subList(1, curve.size())) {
            List<Comparison> all = result.compared(more, fewest);
            if (!all.isEmpty()) {
                parts.add(workers(more.workers()) + " " + Effect.range(all));
            }
        }
        return "Against " + workers(fewest.workers()) + ": " + String.join("; ", parts) + ". " + fastest(curve);
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
                + (result.machine().cores() == 1 ? " core" : " cores") + " for us; fastest are "
                + String.join("; ", parts) + ".";
    }

    private static String workers(int count) {
        return count + (count == 1 ? " worker" : " workers");
    }
}
