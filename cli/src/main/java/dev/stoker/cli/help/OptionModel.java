package dev.stoker.cli.help;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Model.OptionSpec;

/**
 * An option, as the pages and scripts that describe it need it.
 *
 * @param names as they are typed, the shortest first
 * @param label what its value is called; empty if it takes none
 * @param choices the values that it takes, if it takes one of a few
 * @param description one sentence or several
 */
record OptionModel(OptionGroup group, List<String> names, String label, List<String> choices, String description) {
    static OptionModel of(OptionSpec option) {
        var names = new ArrayList<>(List.of(option.names()));
        if (option.negatable()) {
            names.add("--no-" + option.longestName().substring(2));
        }
        String description = String.join(" ", option.description());
        return new OptionModel(
                OptionGroup.of(option),
                List.copyOf(names),
                option.arity().max() == 0 ? "" : option.paramLabel(),
                choices(option),
                Paragraph.plain(description));
    }

    private static List<String> choices(OptionSpec option) {
        Iterable<String> candidates = option.completionCandidates();
        return candidates == null || option.arity().max() == 0
                ? List.of()
                : StreamSupport.stream(candidates.spliterator(), false).toList();
    }

    boolean takesValue() {
        return !label.isEmpty();
    }

    /** The first sentence, for the narrow space beside a completion. */
    String summary() {
        return Paragraph.firstSentence(description);
    }
}
