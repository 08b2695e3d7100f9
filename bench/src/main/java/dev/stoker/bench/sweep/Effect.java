package dev.stoker.bench.sweep;

import dev.stoker.bench.Figures;
import dev.stoker.bench.Statistics;
import java.util.ArrayList;
import java.util.List;

/** What a setting does to several formats, in words. */
final class Effect {
    private static final int FEW = 3;

    private Effect() {}

    /** Which formats it makes faster and slower, and by how much; the comparisons are sorted. */
    static String sentence(String subject, List<Comparison> all) {
        List<Comparison> faster = all.stream().filter(Comparison::isFaster).toList();
        List<Comparison> slower = all.stream().filter(Comparison::isSlower).toList();
        List<Comparison> same = all.stream().filter(Comparison::isTie).toList();
        if (same.size() == all.size()) {
            return subject + " makes no difference that stands out of the spread between rounds in any of " + all.size()
                    + " formats: " + range(all) + ".";
        }
        var parts = new ArrayList<String>();
        if (!faster.isEmpty()) {
            parts.add(share(faster, all) + " faster: " + range(faster));
        }
        if (!slower.isEmpty()) {
            parts.add(share(slower, all) + " slower: " + range(slower));
        }
        String told = subject + " makes " + String.join("; it makes ", parts) + ".";
        return same.isEmpty()
                ? told
                : told + " Within the spread: "
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

    /** How fast, in the middle and at both ends; the comparisons are sorted. */
    static String range(List<Comparison> some) {
        Comparison first = some.getFirst();
        Comparison last = some.getLast();
        double middle =
                Statistics.median(some.stream().mapToDouble(Comparison::ratio).toArray());
        if (some.size() == 1) {
            return Figures.ratio(middle) + " times as fast";
        }
        return Figures.ratio(middle) + " times as fast in the middle (from " + Figures.ratio(first.ratio()) + ", "
                + first.format() + ", to " + Figures.ratio(last.ratio()) + ", " + last.format() + ")";
    }
}
