package dev.stoker.image.webp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.image.ImageException;
import dev.stoker.image.transform.Picture;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WebpDecoderTest {
    private static byte[] resource(String name) throws Exception {
        try (InputStream in = WebpDecoderTest.class.getResourceAsStream("/others/" + name)) {
            return in.readAllBytes();
        }
    }

    private static void decode(byte[] encoded) {
        new WebpDecoder(1 << 20).decode(MemorySegment.ofArray(encoded), new Picture());
    }

    @Test
    void bringsItsOwnLibrary() {
        assertThat(WebpLibrary.bundled()).isPresent();
        assertThat(WebpLibrary.named("libno-such-library.so")).isEmpty();
    }

    @Test
    void saysWhatToInstallWhereThereIsNoLibrary() {
        assertThatThrownBy(() -> WebpLibrary.required(Optional.empty()))
                .isInstanceOf(ImageException.class)
                .hasMessage(
                        "byte 0: the picture is WebP, which only libwebp decodes, and none can be loaded on this machine ("
                                + System.getProperty("os.arch")
                                + "); install it (Debian and Ubuntu: apt install libwebp7, Fedora and RHEL: dnf install libwebp), or"
                                + " convert the picture to PNG");
    }

    @Test
    void refusesEveryCutOffPicture() throws Exception {
        for (String name : new String[] {"lossy.webp", "lossless.webp", "alpha.webp", "animation.webp", "part.webp"}) {
            byte[] whole = resource(name);
            for (int length = 12; length < whole.length; length += 17) {
                byte[] cut = Arrays.copyOf(whole, length);
                if (name.equals("animation.webp") && length > whole.length / 2) {
                    break; // the second picture is not looked at
                }
                assertThatThrownBy(() -> decode(cut))
                        .as(name + " " + length)
                        .isInstanceOf(ImageException.class)
                        .hasMessageContaining("truncated or damaged");
            }
        }
    }

    @Test
    void refusesAnAnimationWhosePictureLeavesTheCanvas() throws Exception {
        byte[] part = resource("part.webp");
        int place = new String(part, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("ANMF") + 8;
        part[place] = 100;
        assertThatThrownBy(() -> decode(part))
                .isInstanceOf(ImageException.class)
                .hasMessageContaining("at 200, 2, does not lie on its canvas");
    }

    @Test
    void refusesMorePixelsThanTheLimit() throws Exception {
        byte[] lossy = resource("lossy.webp");
        assertThatThrownBy(() -> new WebpDecoder(100).decode(MemorySegment.ofArray(lossy), new Picture()))
                .isInstanceOf(ImageException.class)
                .hasMessageContaining("the limit is 100");
    }
}
