package dev.stoker.cli.help;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.cli.Main;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class HelpLayoutTest {
    private static List<CommandLine> all(CommandLine line) {
        var all = new ArrayList<>(List.of(line));
        line.getSubcommands().values().forEach(each -> all.addAll(all(each)));
        return all;
    }

    private static String help(CommandLine root, String command) {
        return root.getSubcommands().get(command).getUsageMessage(CommandLine.Help.Ansi.OFF);
    }

    /** A command to copy is never broken, and neither is one long word, such as a pattern. */
    @ParameterizedTest
    @ValueSource(ints = {60, 80, 110})
    void noHelpIsWiderThanTheTerminal(int width) {
        CommandLine root = Main.model().commandLine();
        HelpLayout.apply(root, width);
        for (CommandLine line : all(root)) {
            String text = line.getUsageMessage(CommandLine.Help.Ansi.OFF);
            for (String each : text.split("\n")) {
                boolean isToCopy = each.contains(" stoker ") || each.contains("source <(");
                assertThat(isToCopy || each.length() <= width).as(each).isTrue();
            }
        }
    }

    @Test
    void optionsStandUnderHeadingsTheCommonOnesFirst() {
        CommandLine root = Main.model().commandLine();
        HelpLayout.apply(root, 100);
        assertThat(help(root, "pack"))
                .startsWith("Usage: stoker pack [OPTIONS] -o OUT [SRC...]\n")
                .containsSubsequence(
                        "\nOptions:\n",
                        "--output=OUT",
                        "\nFields and layout:\n",
                        "--type=FIELD=TYPE",
                        "\nPictures and arrays:\n",
                        "--resize=SIDE",
                        "\nSeveral processes:\n",
                        "--rank=RANK",
                        "\nSpeed and storage:\n",
                        "--workers=N",
                        "\nMetrics:\n",
                        "\nGeneral options:\n",
                        "--json",
                        "--help",
                        "\nExamples:\n");
        assertThat(help(root, "run")).startsWith("Usage: stoker run [OPTIONS] --data [NAME=]SRC -- CMD [ARG...]\n");
        assertThat(help(root, "bench")).startsWith("Usage: stoker bench [OPTIONS] [COMMAND]\n");
    }

    @Test
    void valuesAreListedWhereTheyAreAskedFor() {
        CommandLine root = Main.model().commandLine();
        HelpLayout.apply(root, 110);
        assertThat(help(root, "pack"))
                .containsSubsequence("--format", "arrow", "hdf5", "zip")
                .contains("uint64");
        assertThat(help(root, "feed")).contains("RandomResizedCrop", "ColorJitter", "Normalize");
    }

    @Test
    void notesStandInAColumnOrBelow() {
        var examples = List.of(
                new Example("stoker a", "short"),
                new Example("stoker a --long", "x".repeat(30)),
                new Example("", "prose"));
        assertThat(Example.lines(examples, 60))
                .containsExactly("  stoker a         short", "  stoker a --long  " + "x".repeat(30), "prose");
        assertThat(Example.lines(examples, 40))
                .containsExactly("  stoker a  short", "  stoker a --long", "      " + "x".repeat(30), "prose");
    }
}
