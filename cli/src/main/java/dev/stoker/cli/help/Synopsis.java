package dev.stoker.cli.help;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** How a command is called, in one line: the required options by name, all others together. */
final class Synopsis {
    /** What follows is a command with options of its own. */
    private static final String COMMAND_TO_RUN = "CMD";

    private Synopsis() {}

    static List<String> words(CommandSpec spec) {
        var words = new ArrayList<String>();
        words.add(spec.qualifiedName());
        words.add("[OPTIONS]");
        for (OptionSpec option : spec.options()) {
            if (option.required()) {
                words.add(option.shortestName() + " " + option.paramLabel());
            }
        }
        for (PositionalParamSpec positional : spec.positionalParameters()) {
            words.add(word(positional));
        }
        if (!spec.subcommands().isEmpty()) {
            boolean isOptional =
                    spec.userObject() instanceof Runnable || spec.userObject() instanceof java.util.concurrent.Callable;
            words.add(isOptional ? "[COMMAND]" : "COMMAND");
        }
        return words;
    }

    private static String word(PositionalParamSpec positional) {
        String label = positional.paramLabel();
        String many = positional.arity().max() > 1 ? "..." : "";
        if (label.equals(COMMAND_TO_RUN)) {
            return "-- " + label + " [ARG...]";
        }
        return positional.arity().min() == 0 ? "[" + label + many + "]" : label + many;
    }
}
