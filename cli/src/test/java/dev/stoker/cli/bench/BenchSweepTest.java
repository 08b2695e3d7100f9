package dev.stoker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchSweepTest {
    @TempDir
    private Path folder;

    private String out = "";
    private String err = "";

    private void run(int code, String... args) {
        Ending ending = Ending.of((Object[]) args).require(code);
        out = ending.out();
        err = ending.err();
    }

    @Test
    void measuresAFewSamplesAndReports() {
        String root = folder.resolve("root").toString();
        run(
                0,
                ("bench --data-root ROOT --format stk,npy --num-samples 30 --sample-bytes 1k --repeat 1 --num-workers 1"
                                + " --no-cold --shuffle --use-mmap --keep --json")
                        .replace("ROOT", root)
                        .split(" "));
        Map<?, ?> printed = (Map<?, ?>) Json.parse(out, "out");
        List<?> results = (List<?>) printed.get("results");
        assertThat(results).as("two formats, variable and fixed length").hasSize(4);
        assertThat(((Map<?, ?>) printed.get("best")).get("format")).isEqualTo("stk");
        assertThat(folder.resolve("root/results.json")).hasContent(out);
        assertThat(folder.resolve("root/report.html"))
                .content()
                .contains("format npy holds arrays", "<code>stoker bench --data-root ", "--no-cold --shuffle");
        assertThat(folder.resolve("root/results.csv")).content().hasLineCount(5);
        assertThat(folder.resolve("root/bench-containers/fixed.npy"))
                .as("kept, and a container like any other")
                .isRegularFile();
    }

    @Test
    void wrongUseIsRefusedBeforeAnythingIsWritten() {
        String root = folder.resolve("root").toString();
        run(2, "bench", "--data-root", root, "--repeat", "0");
        assertThat(err).contains("--repeat should be at least 1");
        run(2, "bench", "--data-root", root, "--data", "photos", "--fixed-length");
        assertThat(err).contains("apply to generated samples, not to --data");
        run(2, "bench", "--data-root", root, "--format", "betamax");
        assertThat(err).contains("unknown format 'betamax'; available formats: arrow,");
        run(2, "bench", "rea");
        assertThat(err).contains("did you mean 'read'?");
        assertThat(Files.exists(folder.resolve("root"))).isFalse();
    }

    @Test
    void helpShowsExamples() {
        run(0, "bench", "--help");
        assertThat(out).contains("--data-root=DIR", "--[no-]shuffle", "stoker bench --data photos/", "read");
    }
}
