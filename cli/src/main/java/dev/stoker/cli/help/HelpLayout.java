package dev.stoker.cli.help;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What the help of a command looks like: a short synopsis, options under headings, no line wider than the terminal. */
public final class HelpLayout {
    /** The launcher asks the terminal: Java would take longer than all else that help does. */
    private static final String COLUMNS = "stoker.columns";

    private static final int NARROWEST = 60;
    private static final int WIDEST = 110;
    private static final int WITHOUT_TERMINAL = 100;

    private HelpLayout() {}

    /** Lays out the help of a command and of all its sub-commands. */
    public static void apply(CommandLine line) {
        apply(line, width());
    }

    static void apply(CommandLine line, int width) {
        line.setUsageHelpWidth(width);
        line.setUsageHelpLongOptionsMaxWidth(width / 2);
        Map<String, CommandLine.IHelpSectionRenderer> sections = line.getHelpSectionMap();
        sections.put(UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING, help -> "");
        sections.put(UsageMessageSpec.SECTION_KEY_SYNOPSIS, help -> synopsis(help.commandSpec(), width));
        sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING, help -> "");
        sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpLayout::options);
        sections.put(
                UsageMessageSpec.SECTION_KEY_PARAMETER_LIST_HEADING,
                help -> help.commandSpec().positionalParameters().isEmpty() ? "" : text(List.of("", "Arguments:")));
        sections.put(
                UsageMessageSpec.SECTION_KEY_FOOTER,
                help -> text(Example.lines(Example.of(help.commandSpec()), width)));
        line.setHelpSectionMap(sections);
    }

    private static int width() {
        int columns = Integer.getInteger(COLUMNS, 0);
        return columns <= 0 ? WITHOUT_TERMINAL : Math.clamp(columns, NARROWEST, WIDEST);
    }

    private static String synopsis(CommandSpec spec, int width) {
        return text(Paragraph.wrap("Usage: " + String.join(" ", Synopsis.words(spec)), width, 7));
    }

    private static String options(Help help) {
        var text = new StringBuilder();
        groups(help.commandSpec())
                .forEach((group, options) -> text.append(System.lineSeparator())
                        .append(group.title())
                        .append(':')
                        .append(System.lineSeparator())
                        .append(help.optionListExcludingGroups(
                                options, help.createDefaultLayout(), null, help.parameterLabelRenderer())));
        return text.toString();
    }

    /** The options to show, under their headings, in the order in which a command declares them. */
    static Map<OptionGroup, List<OptionSpec>> groups(CommandSpec spec) {
        var groups = new EnumMap<OptionGroup, List<OptionSpec>>(OptionGroup.class);
        for (OptionSpec option : spec.options()) {
            if (!option.hidden()) {
                groups.computeIfAbsent(OptionGroup.of(option), _ -> new ArrayList<>())
                        .add(option);
            }
        }
        return groups;
    }

    private static String text(List<String> lines) {
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }
}
