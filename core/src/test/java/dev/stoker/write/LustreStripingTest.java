package dev.stoker.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that is issued is tried by checks/ranks.sh, with a stand-in for lfs: there is no Lustre to be had. */
class LustreStripingTest {
    @Test
    void countsAndSizesAreRead() {
        assertThat(LustreStriping.of("8:4m")).isEqualTo(new LustreStriping(8, 4 << 20));
        assertThat(LustreStriping.of("-1:64K")).isEqualTo(new LustreStriping(-1, 64 << 10));
        assertThat(LustreStriping.of("auto").size()).isPositive();
        for (String wrong : new String[] {"", "8", "0:4m", "8:1000", "8:4g", "8:0m", "2001:4m", "-2:4m", "x:4m"}) {
            assertThatThrownBy(() -> LustreStriping.of(wrong))
                    .isInstanceOf(StokerException.class)
                    .hasMessageContaining(
                            "--stripe should be auto or COUNT:SIZE, such as 8:4m, but is '" + wrong + "'");
        }
    }

    @Test
    void whereThereIsNoLustreALineSaysSo(@TempDir Path folder) {
        Path file = folder.resolve("out.partial");
        assertThat(LustreStriping.of("auto").make(file, 1L << 40, 8)).startsWith("--stripe does not apply: ");
        assertThat(LustreStriping.NONE.make(file, 1L << 40, 8)).isEmpty();
        assertThat(file).doesNotExist();
    }
}
