package dev.stoker.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Workshop;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every parser, for a moment: what was found once, and some new inputs. {@code checks/fuzz.sh} takes its time. */
class FuzzTest {
    private static final int INPUTS = 2_000;

    @RegisterExtension
    final Seed seed = new Seed();

    private final Watchdog watchdog = new Watchdog(Path.of("target/fuzz"));

    @TestFactory
    Stream<DynamicTest> parsers() {
        return Targets.names().stream().map(name -> DynamicTest.dynamicTest(name, () -> fuzz(Targets.named(name))));
    }

    private void fuzz(Target target) {
        Corpus corpus = Corpus.ofRepository();
        var fuzzer = new Fuzzer(target, watchdog);
        for (Path file : corpus.files(target)) {
            assertGood(fuzzer.tryOne(Workshop.read(file)), file.toString());
        }
        List<byte[]> seeds = corpus.seeds(target);
        long number = seed.random().nextLong();
        Fuzzer.Result result = fuzzer.run(seeds, INPUTS, number);
        result.findings().forEach(finding -> assertGood(finding, "seed " + number));
        // Changes that break everything, or nothing, would show little.
        assertThat(result.refused()).as("refused").isPositive();
        assertThat(result.read()).as("read").isGreaterThan(seeds.size());
    }

    private static void assertGood(Fuzzer.Finding finding, String where) {
        if (finding != null) {
            var trace = new StringWriter();
            finding.failure().printStackTrace(new PrintWriter(trace));
            throw new AssertionError(where + ": " + java.util.HexFormat.of().formatHex(finding.input()) + "\n" + trace);
        }
    }
}
