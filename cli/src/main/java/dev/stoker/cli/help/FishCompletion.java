package dev.stoker.cli.help;

import java.util.stream.Collectors;

/** Completion for fish, with what each command and option does. */
final class FishCompletion {
    private FishCompletion() {}

    static String of(CommandModel root) {
        var script = new StringBuilder("# fish completion for stoker; made by: stoker completion fish\n");
        root.all().forEach(command -> append(script, command));
        return script.toString();
    }

    private static void append(StringBuilder script, CommandModel command) {
        String condition = condition(command);
        for (CommandModel each : command.commands()) {
            script.append(condition)
                    .append(" -f -a ")
                    .append(each.name())
                    .append(" -d ")
                    .append(quoted(each.summary()))
                    .append('\n');
        }
        for (OptionModel option : command.options()) {
            script.append(condition).append(option(option)).append('\n');
        }
    }

    /** Where the words of a command were typed, and none of a command below it. */
    private static String condition(CommandModel command) {
        String[] words = command.path().split(" ");
        var tests = new StringBuilder();
        for (int i = 1; i < words.length; i++) {
            tests.append(tests.isEmpty() ? "" : "; and ")
                    .append("__fish_seen_subcommand_from ")
                    .append(words[i]);
        }
        if (!command.commands().isEmpty()) {
            String below = command.commands().stream().map(CommandModel::name).collect(Collectors.joining(" "));
            tests.append(tests.isEmpty() ? "" : "; and ")
                    .append("not __fish_seen_subcommand_from ")
                    .append(below);
        }
        return "complete -c stoker -n " + quoted(tests.toString());
    }

    private static String option(OptionModel option) {
        var words = new StringBuilder();
        for (String name : option.names()) {
            words.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        if (option.takesValue()) {
            words.append(option.choices().isEmpty() ? " -r" : " -x -a " + quoted(String.join(" ", option.choices())));
        }
        return words.append(" -d ").append(quoted(option.summary())).toString();
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
