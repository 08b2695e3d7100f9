package dev.stoker.cli.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.cli.Ending;
import dev.stoker.cli.Main;
import dev.stoker.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A feed over its life: what it takes, and how it ends when it is told to. */
class FeedLifeTest {
    @TempDir
    private Path folder;

    private static String run(String... args) {
        return Ending.of((Object[]) args).require(0).out();
    }

    @Test
    void memoryIsWhatTheBuffersSayAndNothingGrows() throws IOException {
        String out = run(
                "bench",
                "feed",
                "--work",
                folder.toString(),
                "--batches",
                "40000",
                "--batch-bytes",
                "32000000",
                "--json");
        Map<?, ?> found = (Map<?, ?>) Json.parse(out, "out");
        // The heap of a test, which holds more than a feed, moves by some megabytes.
        long noise = 24 << 20;
        long buffers = number(found, "buffer_bytes");
        assertThat(number(found, "grown_bytes"))
                .isBetween(buffers - buffers / 10 - noise, buffers + buffers / 10 + noise);
        Map<?, ?> early = (Map<?, ?>) found.get("early");
        Map<?, ?> late = (Map<?, ?>) found.get("late");
        assertThat(late.get("handles")).isEqualTo(early.get("handles"));
        assertThat(late.get("buffer_bytes")).isEqualTo(early.get("buffer_bytes"));
        assertThat(number(late, "process_bytes") - number(early, "process_bytes"))
                .isLessThan(2 * noise);
    }

    private static long number(Map<?, ?> of, String name) {
        return ((Number) of.get(name)).longValue();
    }

    @Test
    @Timeout(120)
    void aSignalSavesTheStateAtABatch() throws Exception {
        Path files = Files.createDirectories(folder.resolve("files"));
        for (int i = 0; i < 500; i++) {
            Files.writeString(files.resolve(i + ".txt"), "sample " + i);
        }
        String packed = folder.resolve("x.stk").toString();
        run("pack", files.toString(), "-o", packed, "--no-sync");
        Path state = folder.resolve("job.json");
        String[] feed = {"feed", packed, "--seed", "7", "--batch", "8", "--print", "index", "--state", state.toString()
        };

        List<String> before = new ArrayList<>();
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(feed));
        command.addAll(List.of("--epochs", "1000000000"));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                before.add(line);
                if (before.size() == 100) {
                    process.toHandle().destroy(); // SIGTERM; unlike Process.destroy it leaves the pipe open
                }
            }
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as("128 + SIGTERM").isEqualTo(143);
        assertThat(before.size() % 500 % 8)
                .as("whole batches, or an epoch's last")
                .isIn(0, 4);

        String upTo = String.valueOf(before.size() / 500 + 2);
        List<String> after = run(with(feed, "--epochs", upTo)).lines().toList();
        Files.delete(state);
        List<String> whole = run(with(feed, "--epochs", upTo)).lines().toList();
        assertThat(before).isEqualTo(whole.subList(0, before.size()));
        assertThat(after).isEqualTo(whole.subList(before.size(), whole.size()));
    }

    private static String[] with(String[] words, String... more) {
        var all = new ArrayList<>(List.of(words));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }
}
