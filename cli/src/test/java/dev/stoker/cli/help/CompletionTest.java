package dev.stoker.cli.help;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.cli.Ending;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts in the shells that they are for; one that is not installed is not tried. */
class CompletionTest {
    @TempDir
    Path folder;

    private Path script(String shell) throws IOException {
        Ending done = Ending.of("completion", shell).require(0);
        return Files.writeString(folder.resolve("script." + shell), done.out());
    }

    private static boolean has(String program) {
        return Files.isExecutable(Path.of("/usr/bin", program)) || Files.isExecutable(Path.of("/bin", program));
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    /** What bash offers after these words, the last of which is being typed. */
    private List<String> bash(String... words) throws Exception {
        String typed = "'" + String.join("' '", words) + "'";
        String said = run(
                "bash",
                "-c",
                "source " + script("bash") + "; COMP_WORDS=(" + typed + "); COMP_CWORD=" + (words.length - 1)
                        + "; _stoker; printf '%s\\n' \"${COMPREPLY[@]}\"");
        return said.strip().lines().toList();
    }

    @Test
    void bashCompletesCommandsOptionsAndValues() throws Exception {
        assumeTrue(has("bash"));
        assertThat(bash("stoker", "co")).containsExactly("convert", "completion");
        assertThat(bash("stoker", "pack", "--out")).containsExactly("--output");
        assertThat(bash("stoker", "pack", "--labels", "")).containsExactly("folder", "none");
        assertThat(bash("stoker", "pack", "--format", "=", "sq")).containsExactly("squashfs");
        assertThat(bash("stoker", "bench", "re")).containsExactly("read");
        assertThat(bash("stoker", "bench", "read", "--ord")).containsExactly("--order");
        assertThat(bash("stoker", "completion", "")).isEmpty();
        assertThat(bash("stoker", "run", "--", "pack", "--")).isEmpty();
    }

    @Test
    void zshTakesTheScript() throws Exception {
        assumeTrue(has("zsh"));
        run("zsh", "-n", script("zsh").toString());
        String said = run(
                "zsh",
                "-fc",
                "autoload -U compinit; compinit -D -u -d " + folder.resolve("dump") + "; source " + script("zsh")
                        + "; print -r -- $_comps[stoker]; whence -w _stoker_bench_read");
        assertThat(said).isEqualTo("_stoker\n_stoker_bench_read: function\n");
    }

    @Test
    void fishCompletesCommandsOptionsAndValues() throws Exception {
        assumeTrue(has("fish"));
        Path script = script("fish");
        assertThat(run("fish", "--no-config", "-c", "source " + script + "; complete -C 'stoker unm'"))
                .isEqualTo("unmount\tUnmount a container\n");
        assertThat(run("fish", "--no-config", "-c", "source " + script + "; complete -C 'stoker pack --labels n'"))
                .startsWith("none");
        assertThat(run("fish", "--no-config", "-c", "source " + script + "; complete -C 'stoker bench re'"))
                .startsWith("read\t");
    }

    @Test
    void anotherShellIsWrongUse() {
        Ending refused = Ending.of("completion", "bahs");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("[bash, zsh, fish]", "did you mean 'bash'?");
    }
}
