package dev.stoker.cli.help;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** All commands as one Markdown page for the docs. */
final class CommandReference {
    private static final int WIDTH = 120;

    private final StringBuilder page = new StringBuilder();

    private CommandReference() {}

    static String of(CommandModel root) {
        var reference = new CommandReference();
        reference.page.append("""
                # Commands

                Every command and option, as `stoker help COMMAND` describes them. Exit codes: 0 success, 1 failure, 2 usage error.
                Completion for your shell: `source <(stoker completion bash)`, or `zsh`; `stoker completion fish | source`.

                <!-- Made from the help of the command by the build; do not edit. See CONTRIBUTING.md. -->
                """);
        root.all().skip(1).forEach(reference::command);
        return reference.page.toString();
    }

    private void command(CommandModel command) {
        page.append("\n## ").append(command.path()).append("\n\n");
        page.append("```text\n").append(command.synopsis()).append("\n```\n");
        paragraphs(command.description());
        arguments(command.arguments());
        options(command.options());
        if (!command.commands().isEmpty()) {
            page.append('\n');
            item("Subcommands: "
                    + command.commands().stream()
                            .map(each ->
                                    "[`" + each.name() + "`](#" + each.path().replace(' ', '-') + ")")
                            .collect(Collectors.joining(", ")));
        }
        examples(command.examples());
    }

    private void paragraphs(List<String> description) {
        for (String each : description) {
            if (!each.isEmpty()) {
                page.append('\n');
                item(escaped(each));
            }
        }
    }

    private void arguments(Map<String, String> arguments) {
        if (!arguments.isEmpty()) {
            page.append('\n');
            arguments.forEach((name, text) -> item("- `" + name + "`: " + escaped(text)));
        }
    }

    private void options(List<OptionModel> options) {
        OptionGroup last = null;
        for (OptionModel option : options) {
            if (option.names().contains("--help") || option.names().contains("--debug")) {
                continue;
            }
            if (option.group() != last) {
                last = option.group();
                page.append("\n**").append(last.title()).append("**\n\n");
            }
            String names = String.join(", ", option.names());
            item("- `" + names + (option.takesValue() ? "=" + option.label() : "") + "`: "
                    + escaped(option.description()));
        }
    }

    private void examples(List<Example> examples) {
        if (!examples.isEmpty()) {
            page.append("\n```sh\n");
            Example.lines(examples, WIDTH)
                    .forEach(line -> page.append(
                                    line.strip().isEmpty() ? "" : line.substring(line.startsWith("  ") ? 2 : 0))
                            .append('\n'));
            page.append("```\n");
        }
    }

    private void item(String text) {
        Paragraph.wrap(text, WIDTH, text.startsWith("- ") ? 2 : 0)
                .forEach(line -> page.append(line).append('\n'));
    }

    /** What Markdown would take for something else. */
    private static String escaped(String text) {
        return text.replace("<", "&lt;").replace("*", "\\*").replace("[", "\\[");
    }
}
