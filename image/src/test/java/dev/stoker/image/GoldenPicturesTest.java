package dev.stoker.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.image.transform.Picture;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Small files of every kind but JPEG decode to the pixels that Pillow gives; checks/images_others.py made them. */
class GoldenPicturesTest {
    /**
     * A file and what becomes of it.
     *
     * @param crc of its pixels, or a part of the sentence by which it is refused
     */
    record Golden(String name, int width, int height, String crc) {
        boolean isRefused() {
            return !crc.matches("\\d+");
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static byte[] resource(String name) throws Exception {
        try (InputStream in = GoldenPicturesTest.class.getResourceAsStream("/others/" + name)) {
            return in.readAllBytes();
        }
    }

    private static Stream<Golden> all() throws Exception {
        return new String(resource("manifest.tsv"), StandardCharsets.UTF_8)
                .lines()
                .map(line -> List.of(line.split("\t")))
                .filter(field -> field.get(4).equals("0"))
                .map(field -> new Golden(
                        field.getFirst(),
                        Integer.parseInt(field.get(1)),
                        Integer.parseInt(field.get(2)),
                        field.get(3)));
    }

    static List<Golden> decoded() throws Exception {
        return all().filter(golden -> !golden.isRefused()).toList();
    }

    static List<Golden> refused() throws Exception {
        return all().filter(Golden::isRefused).toList();
    }

    private static Picture decode(byte[] encoded) {
        var picture = new Picture();
        new OtherPictures(1 << 20).decode(MemorySegment.ofArray(encoded), picture);
        return picture;
    }

    @ParameterizedTest
    @MethodSource("decoded")
    void pixelsAreThoseOfPillow(Golden golden) throws Exception {
        Picture picture = decode(resource(golden.name));

        assertThat(picture.width()).isEqualTo(golden.width);
        assertThat(picture.height()).isEqualTo(golden.height);
        var crc = new CRC32();
        for (int i = 0; i < golden.width * golden.height; i++) {
            crc.update(picture.plane(0)[i]);
            crc.update(picture.plane(1)[i]);
            crc.update(picture.plane(2)[i]);
        }
        assertThat(Long.toString(crc.getValue())).isEqualTo(golden.crc);
    }

    @ParameterizedTest
    @MethodSource("refused")
    void whatIsNoPictureIsRefusedByName(Golden golden) throws Exception {
        byte[] encoded = resource(golden.name);
        assertThatThrownBy(() -> decode(encoded))
                .isInstanceOf(ImageException.class)
                .hasMessageContaining("the TIFF is not taken as a picture: ")
                .hasMessageContaining(golden.crc);
    }
}
