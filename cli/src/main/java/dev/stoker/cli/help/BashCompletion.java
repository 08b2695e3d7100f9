package dev.stoker.cli.help;

import java.util.stream.Collectors;

/** Completion for bash: commands, options, and the values of options that take one of a few. All else is a file. */
final class BashCompletion {
    private BashCompletion() {}

    static String of(CommandModel root) {
        var script = new StringBuilder("""
                # bash completion for stoker; made by: stoker completion bash
                _stoker() {
                    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} path=stoker commands='' options='' i
                    # bash takes --option=value for three words.
                    if [ "$cur" = "=" ]; then
                        cur=
                    elif [ "$prev" = "=" ]; then
                        prev=${COMP_WORDS[COMP_CWORD - 2]}
                    fi
                    COMPREPLY=()
                    for ((i = 1; i < COMP_CWORD; i++)); do
                        [ "${COMP_WORDS[i]}" = "--" ] && return
                        case "$path ${COMP_WORDS[i]}" in
                """);
        root.all()
                .skip(1)
                .forEach(each -> line(script, 3, quoted(each.path()) + ") path=" + quoted(each.path()) + " ;;"));
        line(script, 2, "esac");
        line(script, 1, "done");
        line(script, 1, "case \"$path $prev\" in");
        root.all()
                .forEach(command -> command.options().stream()
                        .filter(OptionModel::takesValue)
                        .forEach(option -> line(script, 2, values(command, option))));
        line(script, 1, "esac");
        line(script, 1, "case $path in");
        root.all().forEach(command -> line(script, 2, words(command)));
        script.append("""
                    esac
                    case $cur in
                        -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
                        *) COMPREPLY=($(compgen -W "$commands" -- "$cur")) ;;
                    esac
                }
                complete -o default -F _stoker stoker
                """);
        return script.toString();
    }

    private static void line(StringBuilder script, int depth, String line) {
        script.append("    ".repeat(depth)).append(line).append('\n');
    }

    private static String quoted(String words) {
        return "'" + words + "'";
    }

    /** What may follow an option: one of its values, or any file. */
    private static String values(CommandModel command, OptionModel option) {
        String names = option.names().stream()
                .map(name -> quoted(command.path() + " " + name))
                .collect(Collectors.joining(" | "));
        String choices = quoted(String.join(" ", option.choices()));
        return option.choices().isEmpty()
                ? names + ") return ;;"
                : names + ") COMPREPLY=($(compgen -W " + choices + " -- \"$cur\")); return ;;";
    }

    private static String words(CommandModel command) {
        String commands = command.commands().stream().map(CommandModel::name).collect(Collectors.joining(" "));
        String options = command.options().stream()
                .flatMap(option -> option.names().stream())
                .collect(Collectors.joining(" "));
        return quoted(command.path()) + ") commands=" + quoted(commands) + " options=" + quoted(options) + " ;;";
    }
}
