package dev.stoker.bench.sweep;

import dev.stoker.bench.Figures;
import dev.stoker.bench.Statistics;
import java.util.ArrayList;
import java.util.List;

/** What a setting does to several formats, in words. */
final class Effect {
    private static final int FEW = 3;
    /** Below it, a ratio is given the other way round. */
    private static final double MUCH_SLOWER = 0.5;

    private Effect() {}

    /** Which formats it speeds up and slows down, and by how much; the comparisons are sorted. */
    static String sentence(String subject, List<Comparison> all) {
        List<Comparison> faster = all.stream().filter(Comparison::isFaster).toList();
        List<Comparison> slower = all.stream().filter(Comparison::isSlower).toList();
        List<Comparison> same = all.stream().filter(Comparison::isTie).toList();
        if (same.size() == all.size()) {
            String which = all.size() == 1 ? all.getFirst().format() : "any of the " + all.size() + " formats";
            return subject + " makes no measurable difference in " + which + ": " + range(all) + ".";
        }
        var parts = new ArrayList<String>();
        if (!faster.isEmpty()) {
            parts.add("speeds up " + share(faster, all) + ": " + range(faster));
        }
        if (!slower.isEmpty()) {
            parts.add("slows down " + share(slower, all) + ": " + range(slower));
        }
        String told = subject + " " + String.join(". It ", parts) + ".";
        return same.isEmpty()
                ? told
                : told + " No clear difference: "
                        + Figures.list(same.stream().map(Comparison::format).toList()) + ".";
    }

    private static String share(List<Comparison> some, List<Comparison> all) {
        if (some.size() == all.size()) {
            return all.size() == 1 ? all.getFirst().format() : "all " + all.size() + " formats";
        }
        return some.size() <= FEW
                ? Figures.list(some.stream().map(Comparison::format).toList())
                : some.size() + " of " + all.size() + " formats";
    }

    /** The median and both ends of the speeds; the comparisons are sorted. */
    static String range(List<Comparison> some) {
        Comparison first = some.getFirst();
        Comparison last = some.getLast();
        double middle =
                Statistics.median(some.stream().mapToDouble(Comparison::ratio).toArray());
        if (some.size() == 1) {
            return speed(middle);
        }
        return speed(middle) + " (median; " + Figures.ratio(first.ratio()) + "x for " + first.format() + " to "
                + Figures.ratio(last.ratio()) + "x for " + last.format() + ")";
    }

    /** Nobody reads "0.07x" as easily as "14 times slower". */
    private static String speed(double ratio) {
        return ratio < MUCH_SLOWER ? Figures.ratio(1 / ratio) + " times slower" : Figures.ratio(ratio) + "x the speed";
    }
}
