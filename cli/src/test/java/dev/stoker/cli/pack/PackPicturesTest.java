package dev.stoker.cli.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.cli.Ending;
import dev.stoker.container.Container;
import dev.stoker.image.PictureReader;
import dev.stoker.image.jpeg.JpegDecoder;
import dev.stoker.sample.Field;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackPicturesTest {
    /** 2 x 2 pixels, as libwebp encodes them without loss. */
    private static final String WEBP =
            "UklGRjIAAABXRUJQVlA4TCUAAAAvAUAAAB8gJCCI/g92Q0iQkP3/VyEBQfR/sPkPfHJUcAOGiP6HAA==";

    @TempDir
    private Path folder;

    private String out = "";
    private String err = "";

    @BeforeEach
    void writePictures() throws IOException {
        write("large.jpg", 600, 400);
        write("small.jpg", 200, 150);
        write("large.png", 400, 600);
    }

    private void write(String name, int width, int height) throws IOException {
        var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                image.setRGB(x, y, (x * 255 / width) << 16 | (y * 255 / height) << 8 | (x + y) % 64);
            }
        }
        Path file = folder.resolve("pictures/a/" + name);
        Files.createDirectories(file.getParent());
        ImageIO.write(image, name.substring(name.length() - 3), file.toFile());
    }

    private void pack(int code, String... options) {
        String[] args = Stream.concat(
                        Stream.of("pack", folder.resolve("pictures").toString(), "-o", packed().toString()),
                        Arrays.stream(options))
                .toArray(String[]::new);
        Ending ending = Ending.of((Object[]) args).require(code);
        out = ending.out();
        err = ending.err();
        assertThat(folder.resolve("packed.stk.rework")).doesNotExist();
    }

    private Path packed() {
        return folder.resolve("packed.stk");
    }

    /** The samples are sorted: large.jpg, large.png, small.jpg. */
    private byte[] value(int sample) {
        try (Container container = Container.open(packed())) {
            return container.value(sample, container.schema().place(Field.DATA)).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private static BufferedImage decoded(byte[] value) {
        return new PictureReader().read(java.lang.foreign.MemorySegment.ofArray(value));
    }

    private byte[] original(String name) throws IOException {
        return Files.readAllBytes(folder.resolve("pictures/a/" + name));
    }

    @Test
    void resizesTheShortSideOfWhatIsLarger() throws IOException {
        pack(0, "--resize", "200", "--quality", "95");
        BufferedImage jpeg = decoded(value(0));
        assertThat(new int[] {jpeg.getWidth(), jpeg.getHeight()}).containsExactly(300, 200);
        assertThat(jpeg.getRGB(150, 100) >> 16 & 255).isBetween(118, 138);
        BufferedImage png = decoded(value(1));
        assertThat(new int[] {png.getWidth(), png.getHeight()}).containsExactly(200, 300);
        assertThat(value(2)).isEqualTo(original("small.jpg"));
    }

    @Test
    void limitsTheLongSide() throws IOException {
        pack(0, "--max-side", "200");
        BufferedImage jpeg = decoded(value(0));
        assertThat(new int[] {jpeg.getWidth(), jpeg.getHeight()}).containsExactly(200, 133);
        assertThat(value(2)).isEqualTo(original("small.jpg"));
    }

    @Test
    void insertsRestartMarkersWithoutLoss() throws IOException {
        pack(0, "--restart-interval", "8");
        byte[] marked = value(0);
        assertThat(new JpegDecoder().read(marked, 0, marked.length).restartInterval())
                .isEqualTo(8);
        BufferedImage before = decoded(original("large.jpg"));
        BufferedImage after = decoded(marked);
        assertThat(after.getRGB(0, 0, 600, 400, null, 0, 600)).isEqualTo(before.getRGB(0, 0, 600, 400, null, 0, 600));
        assertThat(value(1)).isEqualTo(original("large.png"));
    }

    @Test
    void findsWhatDoesNotDecode() throws IOException {
        byte[] jpeg = original("large.jpg");
        Files.write(folder.resolve("pictures/a/cut.jpg"), Arrays.copyOf(jpeg, jpeg.length / 2));
        pack(1, "--check-images");
        assertThat(err).contains("cut.jpg").contains("truncated");
        assertThat(packed()).doesNotExist();
        pack(0, "--check-images", "--skip-bad");
        assertThat(out).contains("3 samples").contains("left out: ").contains("cut.jpg");
        assertThat(value(0)).isEqualTo(jpeg);
    }

    @Test
    void readsWebp() throws IOException {
        Files.write(folder.resolve("pictures/a/x.webp"), Base64.getDecoder().decode(WEBP));
        pack(0, "--check-images");
        assertThat(decoded(value(3)).getWidth()).isEqualTo(2);
    }

    @Test
    void refusesWrongOptions() {
        pack(2, "--resize", "200", "--max-side", "300");
        assertThat(err).contains("give either --resize or --max-side");
        pack(2, "--quality", "80");
        assertThat(err).contains("--quality applies to resized pictures only");
        pack(2, "--resize", "0");
        assertThat(err).contains("1 to 65,500 pixels, not 0");
        pack(2, "--restart-interval", "70000");
        assertThat(err).contains("from 1 to 65535, not 70000");
    }
}
