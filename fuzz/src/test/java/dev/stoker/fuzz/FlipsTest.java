package dev.stoker.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.testkit.Seed;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Single bits of every format, for a moment. {@code checks/flips.sh} takes its time. */
class FlipsTest {
    private static final int FLIPS = 60;

    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    @TestFactory
    Stream<DynamicTest> formats() {
        return Variant.all().stream().map(variant -> DynamicTest.dynamicTest(variant.label(), () -> flip(variant)));
    }

    private void flip(Variant variant) {
        Flips.Result result = new Flips(variant, folder, seed.random().nextLong()).run(FLIPS);
        assertThat(result.wrong()).isEmpty();
        assertThat(result.changed() + result.refused() + result.noticed()).isPositive();
    }
}
