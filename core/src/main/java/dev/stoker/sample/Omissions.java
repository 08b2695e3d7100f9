package dev.stoker.sample;

import dev.stoker.StokerException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;

/** Collects what a container holds and its fields do not deliver, in bounds that hold for any file, and says it in a line. */
public final class Omissions {
    /** Files have hundreds of columns; one with more things that are left out is told of as a whole. */
    public static final int MOST = 1000;

    /** What is longer than this is cut: a path of many groups, a type of many types. */
    private static final int LONGEST = 200;

    /** How many a warning names. */
    private static final int NAMED = 5;

    /** Of nulls the column is there, but something else stands for them. */
    private static final String CHANGED = "left out or replaced";

    private final List<Omission> found = new ArrayList<>();
    private long more;

    public void add(String name, String what, String why) {
        if (found.size() == MOST) {
            more++;
        } else {
            found.add(new Omission(cut(name), cut(what), why));
        }
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    /** All, in the order in which they were found; beyond {@value #MOST}, how many more there are. */
    public List<Omission> list() {
        var all = new ArrayList<>(found);
        if (more > 0) {
            all.add(new Omission("…", more + " more", "only the first " + MOST + " are named"));
        }
        return all;
    }

    @Override
    public String toString() {
        return sentence("left out", list());
    }

    /** The omissions of several containers: what all of them leave out is told of once. */
    public static List<Omission> together(Collection<? extends Samples> parts) {
        var all = new LinkedHashSet<Omission>();
        parts.forEach(part -> all.addAll(part.omissions()));
        return List.copyOf(all);
    }

    /** A warning; to be given only if there are some. */
    public static String warning(List<Omission> omissions) {
        return sentence(CHANGED, omissions) + " (stoker inspect FILE lists everything that is left out)";
    }

    /** Refuses samples that leave out anything. */
    public static void refuse(List<Omission> omissions) {
        if (!omissions.isEmpty()) {
            throw new StokerException(
                    sentence(CHANGED, omissions) + ", which --strict refuses; drop --strict to read the rest");
        }
    }

    private static String sentence(String what, List<Omission> omissions) {
        String named = omissions.stream().limit(NAMED).map(Omission::toString).collect(Collectors.joining("; "));
        return what + ": " + named + (omissions.size() > NAMED ? "; and " + (omissions.size() - NAMED) + " more" : "");
    }
}
