package dev.stoker.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.image.kernel.ResizeTaps.Filter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransformParserTest {
    @Test
    void readsTheUsualChains() {
        assertThat(TransformParser.parse("RandomResizedCrop(224),RandomHorizontalFlip"))
                .isEqualTo(List.of(new Transform.RandomResizedCrop(224), new Transform.RandomHorizontalFlip(0.5)));
        assertThat(TransformParser.parse(" Resize( 256 , interpolation = bicubic ) , CenterCrop((200, 100)) "))
                .isEqualTo(List.of(
                        new Transform.ResizeShortSide(256, 0, Filter.BICUBIC), new Transform.CenterCrop(200, 100)));
        assertThat(TransformParser.parse("RandomResizedCrop([96,64], scale=(0.5, 1e0), ratio=(1,1))"))
                .isEqualTo(List.of(new Transform.RandomResizedCrop(96, 64, 0.5, 1, 1, 1, Filter.BILINEAR)));
        assertThat(TransformParser.parse("ColorJitter(0.4, hue=0.1)"))
                .isEqualTo(List.of(new Transform.ColorJitter(
                        new Transform.Range(0.6, 1.4),
                        new Transform.Range(1, 1),
                        new Transform.Range(1, 1),
                        new Transform.Range(-0.1, 0.1))));
        Transform.Normalize normalize = (Transform.Normalize)
                TransformParser.parse("Normalize(imagenet)").getFirst();
        assertThat(normalize.mean()).containsExactly(0.485f, 0.456f, 0.406f);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Rezise(3) | no transform is called Rezise; there are Resize, CenterCrop, RandomCrop, RandomResizedCrop, RandomHorizontalFlip, ColorJitter, Grayscale, ToFloat, Normalize; did you mean 'Resize'?",
                "Resize(3, antialias=false) | Resize has no argument antialias; it has size, interpolation, max_size",
                "Resize | Resize: size should be a whole number or (height, width) but is missing",
                "Resize(3.5) | Resize: size should be a whole number or (height, width) but is 3.5",
                "Resize(3, 4) | Resize: interpolation should be bilinear or bicubic but is 4.0",
                "CenterCrop(0) | CenterCrop: a side should be 1 to 65535 pixels but the size is 0 x 0",
                "CenterCrop(3,4) | CenterCrop has too many arguments; it has size",
                "CenterCrop(3 | transforms \"CenterCrop(3\": a comma or ) should be at character 13 but the end is",
                "CenterCrop(3) Resize(2) | transforms \"CenterCrop(3) Resize(2)\": a comma or the end should be at character 15 but 'R' is",
                "CenterCrop(size=3,size=4) | CenterCrop: the argument size is given twice",
                "RandomHorizontalFlip(2) | RandomHorizontalFlip: p should be from 0 to 1 but is 2.0",
                "ToFloat(1) | ToFloat has too many arguments; it has none",
                "Normalize(1) | Normalize: std should be a number or a list of three but is missing",
            })
    void saysWhatIsWrongAndWhatIsValid(String spec, String message) {
        assertThatThrownBy(() -> TransformParser.parse(spec))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Resize(256) | the pictures would come out in different sizes",
                "Normalize(imagenet),CenterCrop(3) | CenterCrop after ToFloat or Normalize; put it before",
                "CenterCrop(3),Grayscale,Normalize(imagenet) | Normalize with 3 values after Grayscale to 1 channel",
            })
    void aChainMustMakeSense(String spec, String message) {
        assertThatThrownBy(() -> ChainPlan.of(TransformParser.parse(spec))).hasMessageContaining(message);
    }
}
