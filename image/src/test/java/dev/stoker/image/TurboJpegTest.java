package dev.stoker.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.image.jpeg.JpegDecoder;
import dev.stoker.image.jpeg.JpegHeader;
import dev.stoker.image.transform.Picture;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With the TurboJPEG library of this machine; skipped where there is none. */
class TurboJpegTest {
    @BeforeEach
    void needsTheLibrary() {
        var library = TurboJpeg.open();
        assumeTrue(library.isPresent(), "libturbojpeg is not installed");
        library.get().close();
    }

    private static byte[] photo() throws IOException {
        var image = new BufferedImage(203, 117, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < 117; y++) {
            for (int x = 0; x < 203; x++) {
                image.setRGB(x, y, (x * 5 & 255) << 16 | (x * y / 7 & 255) << 8 | (y * 3 & 255));
            }
        }
        var out = new ByteArrayOutputStream();
        ImageIO.write(image, "jpg", out);
        return out.toByteArray();
    }

    @Test
    void decodesToThePixelsOfOurDecoder() throws IOException {
        byte[] encoded = photo();
        var decoder = new JpegDecoder();
        JpegHeader header = decoder.read(encoded, 0, encoded.length);
        var ours = new byte[3 * header.width() * header.height()];
        decoder.decode(
                0,
                0,
                header.width(),
                header.height(),
                PixelFormat.RGB,
                MemorySegment.ofArray(ours),
                0,
                3L * header.width());
        var picture = new Picture();
        try (TurboJpeg library = TurboJpeg.open().orElseThrow()) {
            library.decode(MemorySegment.ofArray(encoded), 1 << 20, picture);
        }
        for (int i = 0; i < picture.width() * picture.height(); i++) {
            assertThat(new byte[] {picture.plane(0)[i], picture.plane(1)[i], picture.plane(2)[i]})
                    .containsExactly(ours[3 * i], ours[3 * i + 1], ours[3 * i + 2]);
        }
    }

    /** cjpeg writes arithmetic coding; our own decoder refuses it by name. */
    @Test
    void decodesWhatOurDecoderDoesNotKnow() throws Exception {
        byte[] plain = photo();
        var shown = new PictureReader().read(MemorySegment.ofArray(plain));
        byte[] coded = arithmetic(shown);
        assertThatThrownBy(() -> new JpegDecoder().read(coded, 0, coded.length)).hasMessageContaining("arithmetic");
        BufferedImage found = new PictureReader().read(MemorySegment.ofArray(coded));
        assertThat(found.getWidth()).isEqualTo(shown.getWidth());
        assertThat(found.getRGB(100, 60) & 255).isCloseTo(shown.getRGB(100, 60) & 255, within(16));
    }

    private static byte[] arithmetic(BufferedImage image) throws Exception {
        Process process;
        try {
            process = new ProcessBuilder("cjpeg", "-quality", "100", "-sample", "1x1", "-arithmetic")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            return assumeNot("cjpeg is not installed");
        }
        try (var in = process.getOutputStream()) {
            in.write(("P6 " + image.getWidth() + " " + image.getHeight() + " 255\n")
                    .getBytes(StandardCharsets.US_ASCII));
            for (int y = 0; y < image.getHeight(); y++) {
                for (int x = 0; x < image.getWidth(); x++) {
                    int rgb = image.getRGB(x, y);
                    in.write(new byte[] {(byte) (rgb >> 16), (byte) (rgb >> 8), (byte) rgb});
                }
            }
        }
        byte[] coded = process.getInputStream().readAllBytes();
        return process.waitFor() == 0 ? coded : assumeNot("this cjpeg has no arithmetic coding");
    }

    private static byte[] assumeNot(String reason) {
        assumeTrue(false, reason);
        return new byte[0];
    }

    @Test
    void refusesWithTheLibrarysReason() throws IOException {
        byte[] encoded = photo();
        try (TurboJpeg library = TurboJpeg.open().orElseThrow()) {
            assertThatThrownBy(() -> library.decode(MemorySegment.ofArray(encoded), 100))
                    .isInstanceOf(ImageException.class)
                    .hasMessageContaining("203 x 117 = 23751 pixels; the limit is 100");
            assertThatThrownBy(() -> library.decode(MemorySegment.ofArray(new byte[100]), 100))
                    .isInstanceOf(ImageException.class)
                    .hasMessageContaining("libturbojpeg: ");
        }
    }
}
