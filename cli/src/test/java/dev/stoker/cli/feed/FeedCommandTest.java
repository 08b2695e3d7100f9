package dev.stoker.cli.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.cli.Ending;
import dev.stoker.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeedCommandTest {
    @TempDir
    private Path folder;

    private String out = "";
    private String err = "";
    private String packed = "";

    @BeforeEach
    void packFiles() throws IOException {
        Path photos = Files.createDirectories(folder.resolve("photos/cat"));
        for (int i = 0; i < 50; i++) {
            Files.writeString(photos.resolve("%02d.txt".formatted(i)), "photo " + i);
        }
        packed = folder.resolve("photos.stk").toString();
        run(0, "pack", folder.resolve("photos").toString(), "-o", packed);
    }

    private List<String> run(int code, String... args) {
        Ending ending = Ending.of((Object[]) args).require(code);
        out = ending.out();
        err = ending.err();
        return out.lines().toList();
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    @Test
    void printsEverySampleOnce() {
        List<String> keys = run(0, "feed", packed, "--seed", "7", "--print", "key");
        assertThat(new TreeSet<>(keys)).hasSize(50).contains("cat/00.txt");
        assertThat(keys).isNotEqualTo(keys.stream().sorted().toList());
        assertThat(run(0, "feed", packed, "--order", "sequential", "--print", "index"))
                .startsWith("0", "1", "2")
                .hasSize(50);
        List<String> packedSums = run(0, "feed", packed, "--print", "crc");
        assertThat(run(0, "feed", at("photos"), "--print", "crc"))
                .as("loose files are the same dataset in the same order")
                .isEqualTo(packedSums);
        assertThat(run(0, "feed", packed, "--subset", "3,40-", "--print", "index"))
                .containsExactlyInAnyOrder("3", "40", "41", "42", "43", "44", "45", "46", "47", "48", "49");
    }

    @Test
    void memoryTakesUnits() {
        for (String enough : List.of("64k", "1MiB", "1G")) {
            assertThat(run(0, "feed", packed, "--memory", enough, "--print", "key"))
                    .hasSize(50);
        }
        run(1, "feed", packed, "--memory", "100B", "--batch", "50");
        assertThat(err).contains("100 ");
        run(2, "feed", packed, "--memory", "lots");
        assertThat(err).contains("--memory takes a size with its unit, such as 512MiB or 2G, not 'lots'");
    }

    @Test
    void stopsAndGoesOnWithAnotherWorld() {
        var seen = new ArrayList<String>();
        for (int rank = 0; rank < 2; rank++) {
            seen.addAll(run(
                    0,
                    "feed packed --seed 7 --epochs 2 --batch 4 --stop-after 10 --print index --world 2 --rank"
                            .replace("packed", packed)
                            .split(" "),
                    "" + rank,
                    "--state",
                    at("state" + rank),
                    "--ledger",
                    at("ledger" + rank)));
        }
        assertThat(folder.resolve("state0")).hasSameTextualContentAs(folder.resolve("state1"));
        run(1, "ledger", "check", at("ledger0"), at("ledger1"));
        assertThat(out)
                .contains("epoch 0: 20 delivered of 50, 30 MISSING (positions 20-49)", "NOT delivered exactly once");
        run(0, "ledger", "check", "--so-far", at("ledger0"), at("ledger1"));
        run(0, "ledger", "state", at("ledger0"), at("ledger1"), "-o", at("computed"));
        assertThat(folder.resolve("computed")).hasSameTextualContentAs(folder.resolve("state0"));
        seen.addAll(run(
                0,
                "feed",
                packed,
                "--seed",
                "7",
                "--epochs",
                "2",
                "--print",
                "index",
                "--state",
                at("state0"),
                "--ledger",
                at("ledger0")));
        assertThat(seen).hasSize(100);
        assertThat(new TreeSet<>(seen.subList(0, 50))).hasSize(50);
        run(0, "ledger", "check", at("ledger0"), at("ledger1"), "--json");
        assertThat(((Map<?, ?>) parse()).get("exactly_once")).isEqualTo(true);
        assertThat(run(0, "feed", packed, "--seed", "7", "--epochs", "2", "--print", "index", "--state", at("state0")))
                .isEmpty();
        run(1, "feed", packed, "--seed", "8", "--state", at("state0"));
        assertThat(err).contains("seed should be 8 but is 7");
    }

    private List<String> run(int code, String[] first, String... rest) {
        var all = new ArrayList<>(List.of(first));
        all.addAll(List.of(rest));
        return run(code, all.toArray(String[]::new));
    }

    private Object parse() {
        return Json.parse(out.getBytes(java.nio.charset.StandardCharsets.UTF_8), "out");
    }

    @Test
    void reportsThroughput() {
        run(0, "feed", packed, "--epochs", "3", "--batch", "8", "--threads", "2", "--json");
        assertThat(((Map<?, ?>) parse()).keySet().stream().map(String::valueOf))
                .contains("samples_per_s", "wait_p50_ms", "wait_p95_ms", "wait_share", "limit_samples_per_s", "ratio");
        assertThat((List<?>) ((Map<?, ?>) parse()).get("epochs")).hasSize(3);
        run(0, "feed", packed, packed, "--weights", "0.75,0.25", "--no-limit");
        assertThat(out).contains("100 samples");
    }

    @Test
    void saysWhatIsWrong() {
        run(2, "feed", packed, "--rank", "2", "--world", "2");
        assertThat(err).contains("rank should be at least 0 and less than the world, 2, but is 2");
        run(2, "feed", packed, "--batch", "0");
        assertThat(err).contains("a batch should have at least 1 sample but has 0");
        run(2, "feed", packed, "--order", "random");
        assertThat(err).contains("unknown order 'random'; valid are").doesNotContain("did you mean");
        run(2, "feed", packed, "--order", "shufled");
        assertThat(err).contains("unknown order 'shufled'; valid are", "; did you mean 'shuffled'?");
        run(2, "feed", packed, "--order", "blocks:x");
        assertThat(err).contains("unknown order 'blocks:x'; valid are").doesNotContain("did you mean");
        run(2, "feed", packed, "--bad", "skp");
        assertThat(err).contains("; did you mean 'skip'?");
        run(2, "feed", packed, "--bad", "ignore");
        assertThat(err).contains("valid are fail, skip and substitute");
        run(2, "feed");
        assertThat(err).contains("FILE");
        assertThatThrownBy(() -> FeedOptions.wholeNumbers(new String[] {"x"}))
                .hasMessageContaining("such as 3 or 0.25");
        assertThat(FeedOptions.wholeNumbers(new String[] {"0.75", "0.25"})).containsExactly(3, 1);
    }
}
