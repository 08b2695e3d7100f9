package dev.stoker.cli.help;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A command, as the pages and scripts that describe it need it.
 *
 * @param name its own, without those of the commands that it belongs to
 * @param path all names that are typed for it, such as {@code stoker bench read}
 * @param summary what it does, in one line
 * @param description paragraphs; an empty one separates
 * @param synopsis how it is called
 * @param arguments what follows the options, and what each means
 */
record CommandModel(
        String name,
        String path,
        String summary,
        List<String> description,
        String synopsis,
        List<OptionModel> options,
        Map<String, String> arguments,
        List<Example> examples,
        List<CommandModel> commands) {

    static CommandModel of(CommandSpec spec) {
        List<CommandModel> commands = spec.subcommands().values().stream()
                .map(line -> line.getCommandSpec())
                .filter(each -> !each.usageMessage().hidden())
                .map(CommandModel::of)
                .toList();
        List<String> description = Arrays.stream(spec.usageMessage().description())
                .map(Paragraph::plain)
                .toList();
        return new CommandModel(
                spec.name(),
                spec.qualifiedName(),
                description.isEmpty() ? "" : Paragraph.firstSentence(description.getFirst()),
                description,
                String.join(" ", Synopsis.words(spec)),
                options(spec),
                arguments(spec),
                Example.of(spec),
                commands);
    }

    private static List<OptionModel> options(CommandSpec spec) {
        var options = new ArrayList<OptionModel>();
        for (List<OptionSpec> group : HelpLayout.groups(spec).values()) {
            group.forEach(option -> options.add(OptionModel.of(option)));
        }
        return options;
    }

    private static Map<String, String> arguments(CommandSpec spec) {
        var arguments = new LinkedHashMap<String, String>();
        for (ArgSpec each : spec.positionalParameters()) {
            arguments.put(each.paramLabel(), Paragraph.plain(String.join(" ", each.description())));
        }
        return arguments;
    }

    /** This command and all below it, each before its own. */
    Stream<CommandModel> all() {
        return Stream.concat(Stream.of(this), commands.stream().flatMap(CommandModel::all));
    }
}
