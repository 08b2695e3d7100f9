package dev.stoker.cli.help;

import java.util.List;
import java.util.stream.Collectors;

/** Completion for zsh, with what each command and option does. */
final class ZshCompletion {
    private ZshCompletion() {}

    static String of(CommandModel root) {
        var script =
                new StringBuilder("#compdef stoker\n# zsh completion for stoker; made by: stoker completion zsh\n\n");
        root.all().forEach(command -> script.append(function(command)).append('\n'));
        // Sourced, or found in a folder of fpath.
        return script.append("""
                        if [ "$funcstack[1]" = "_stoker" ]; then
                            _stoker "$@"
                        else
                            compdef _stoker stoker
                        fi
                        """).toString();
    }

    private static String nameOf(CommandModel command) {
        return "_" + command.path().replace(' ', '_');
    }

    private static String function(CommandModel command) {
        var lines = command.options().stream()
                .map(ZshCompletion::option)
                .collect(Collectors.toCollection(java.util.ArrayList::new));
        if (command.commands().isEmpty()) {
            lines.add("'*:file:_files'");
            return nameOf(command) + "() {\n" + arguments("", lines) + "}\n";
        }
        lines.add("'1: :->command'");
        lines.add("'*:: :->rest'");
        return nameOf(command) + "() {\n    local curcontext=\"$curcontext\" state line\n    typeset -A opt_args\n"
                + arguments("-C ", lines)
                + "    case $state in\n        command)\n            local -a commands=(\n"
                + command.commands().stream()
                        .map(each -> "                " + quoted(each.name() + ":" + each.summary()) + "\n")
                        .collect(Collectors.joining())
                + "            )\n            _describe command commands ;;\n        rest)\n            case $words[1] in\n"
                + command.commands().stream()
                        .map(each -> "                " + each.name() + ") " + nameOf(each) + " ;;\n")
                        .collect(Collectors.joining())
                + "            esac ;;\n    esac\n}\n";
    }

    private static String arguments(String flags, List<String> lines) {
        return "    _arguments " + flags + "\\\n        " + String.join(" \\\n        ", lines) + "\n";
    }

    /** As {@code _arguments} takes it: {@code '(-o --output)'{-o,--output}'[The container]:OUT:_files'}. */
    private static String option(OptionModel option) {
        String described = "[" + escaped(option.summary()) + "]"
                + (option.takesValue() ? ":" + escaped(option.label()) + ":" + action(option) : "");
        return option.names().stream()
                .map(name -> quoted("*" + name + (option.takesValue() && name.startsWith("--") ? "=" : "") + described))
                .collect(Collectors.joining(" \\\n        "));
    }

    private static String action(OptionModel option) {
        return option.choices().isEmpty() ? "_files" : "(" + String.join(" ", option.choices()) + ")";
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("[", "\\[")
                .replace("]", "\\]")
                .replace(":", "\\:");
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
