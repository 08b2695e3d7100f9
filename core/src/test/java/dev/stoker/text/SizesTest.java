package dev.stoker.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.feed.FeedBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizesTest {
    @ParameterizedTest
    @CsvSource({
        "256b, 256",
        "64k, 65536",
        "256M, 268435456",
        "256MB, 268435456",
        "256 MiB, 268435456",
        "1g, 1073741824",
        "2TiB, 2199023255552"
    })
    void aUnitMeansTheSameEverywhere(String text, long bytes) {
        assertThat(Sizes.parse("--block", text)).isEqualTo(bytes);
        assertThat(Sizes.of(text)).isEqualTo(bytes);
        assertThat(Sizes.parseWithUnit("--memory", text)).isEqualTo(bytes);
    }

    @Test
    void aPlainNumberIsOneOfBytesOrRefused() {
        assertThat(Sizes.parse("--block", "65536")).isEqualTo(65536);
        assertThatThrownBy(() -> Sizes.parseWithUnit("--memory", "256"))
                .isInstanceOf(UsageException.class)
                .hasMessage("--memory takes a size with its unit, such as 512MiB or 2G, not '256'");
    }

    @Test
    void theDefaultOfTheFeedIsWhatItsHelpSays() {
        assertThat(Sizes.parseWithUnit("--memory", "256MiB")).isEqualTo(FeedBuilder.MEMORY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "much", "1.5M", "1Q", "M", "999999999999999T"})
    void whatIsNoSizeIsRefused(String text) {
        assertThat(Sizes.of(text)).isZero();
        assertThatThrownBy(() -> Sizes.parse("--block", text))
                .isInstanceOf(StokerException.class)
                .hasMessage("--block takes a number of bytes such as 65536, 64k or 1MiB, not '" + text + "'");
        assertThatThrownBy(() -> Sizes.parseWithUnit("--memory", text))
                .isInstanceOf(StokerException.class)
                .hasMessage("--memory takes a size with its unit, such as 512MiB or 2G, not '" + text + "'");
    }
}
