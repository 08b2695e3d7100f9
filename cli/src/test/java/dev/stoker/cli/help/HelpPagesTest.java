package dev.stoker.cli.help;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.cli.Commands;
import dev.stoker.cli.Main;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HelpPagesTest {
    private static final Path ROOT = Path.of(System.getProperty("stoker.root"));

    @TempDir
    Path folder;

    @Test
    void everyCommandHasAManPageThatGroffTakes() throws Exception {
        HelpFiles.main(new String[] {folder.toString(), "1.2"});
        List<Path> pages;
        try (Stream<Path> all = Files.list(folder.resolve("share/man/man1"))) {
            pages = all.sorted().toList();
        }
        assertThat(pages)
                .hasSizeGreaterThan(Commands.ALL.size())
                .anyMatch(page -> page.endsWith("stoker.1"))
                .anyMatch(page -> page.endsWith("stoker-bench-read.1"));
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/groff")));
        for (Path page : pages) {
            Process groff = new ProcessBuilder("groff", "-man", "-Tutf8", "-ww", page.toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            assertThat(new String(groff.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                    .as(page.toString())
                    .isEmpty();
            assertThat(groff.waitFor()).isZero();
        }
    }

    @Test
    void theReferenceIsThatOfThisCommand() throws Exception {
        Path page = ROOT.resolve("docs/reference/commands.md");
        assertThat(page)
                .as("cp build/dist/share/doc/stoker/commands.md docs/reference/ (after ./stoker --version)")
                .content()
                .isEqualTo(CommandReference.of(CommandModel.of(Main.model())));
    }
}
