package dev.stoker.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpellingTest {
    private static final List<String> WORDS = List.of("arrow", "hdf5", "RandomResizedCrop", "tar");

    @Test
    void theNearestWordIsSuggested() {
        assertThat(Spelling.hint("arow", WORDS)).isEqualTo("; did you mean 'arrow'?");
        assertThat(Spelling.hint("h5", WORDS)).isEqualTo("; did you mean 'hdf5'?");
        assertThat(Spelling.hint("atr", WORDS)).isEqualTo("; did you mean 'tar'?");
    }

    @Test
    void theCaseOfLettersIsNoMistake() {
        assertThat(Spelling.hint("randomresizdcrop", WORDS)).isEqualTo("; did you mean 'RandomResizedCrop'?");
    }

    @Test
    void nothingIsSuggestedThatIsFarAway() {
        assertThat(Spelling.hint("parquet", WORDS)).isEmpty();
        assertThat(Spelling.hint("xyz", WORDS)).isEmpty();
    }
}
