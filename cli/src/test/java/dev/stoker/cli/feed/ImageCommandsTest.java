package dev.stoker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.json.Json;
import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageCommandsTest {
    private static final int PICTURES = 40;
    private static final String CHAIN = "RandomResizedCrop(32),RandomHorizontalFlip,Normalize(imagenet)";

    @TempDir
    private static Path folder;

    private static String packed = "";
    private static String damaged = "";

    private String out = "";
    private String err = "";

    @BeforeAll
    static void packPictures() throws IOException {
        for (int i = 0; i < PICTURES; i++) {
            String ending = i % 5 == 4 ? "png" : "jpg";
            Path file = folder.resolve("photos/%s/%02d.%s".formatted(i % 2 == 0 ? "cat" : "dog", i, ending));
            Files.createDirectories(file.getParent());
            ImageIO.write(picture(i), ending, file.toFile());
        }
        packed = at("photos.stk");
        new ImageCommandsTest().run(0, "pack", at("photos"), "-o", packed);
        Path bad = Files.createDirectories(folder.resolve("damaged/cat"));
        ImageIO.write(picture(1), "jpg", bad.resolve("good.jpg").toFile());
        Files.writeString(bad.resolve("text.jpg"), "this is no picture");
        damaged = at("damaged.stk");
        new ImageCommandsTest().run(0, "pack", at("damaged"), "-o", damaged);
    }

    private static BufferedImage picture(int i) {
        var image = new BufferedImage(60 + 7 * i, 90 + 3 * i, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setPaint(new GradientPaint(0, 0, Color.getHSBColor(i / 40f, 1, 1), 100, 80 + i, Color.WHITE));
        graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
        graphics.setPaint(Color.BLACK);
        graphics.fillOval(10, 20, 30 + i, 40);
        graphics.dispose();
        return image;
    }

    private static String at(String name) {
        return folder.resolve(name).toString();
    }

    private List<String> run(int code, String... args) {
        Ending ending = Ending.of((Object[]) args).require(code);
        out = ending.out();
        err = ending.err();
        return out.lines().toList();
    }

    private Map<?, ?> parse() {
        return (Map<?, ?>) Json.parse(out.getBytes(StandardCharsets.UTF_8), "out");
    }

    private List<String> sums(String threads, String dtype, String... more) {
        var args = new ArrayList<>(List.of("feed", packed, "--decode", "image", "--transform", CHAIN));
        args.addAll(List.of("--batch", "16", "--epochs", "2", "--seed", "3", "--print", "crc"));
        args.addAll(List.of("--threads", threads, "--dtype", dtype));
        args.addAll(List.of(more));
        return run(0, args.toArray(String[]::new));
    }

    @Test
    void feedsTheSamePicturesWhateverTheThreads() {
        List<String> one = sums("1", "uint8");
        assertThat(one).hasSize(2 * PICTURES);
        assertThat(one.stream().distinct().count())
                .as("another crop in every epoch")
                .isGreaterThan(PICTURES + 20);
        assertThat(sums("2", "uint8")).isEqualTo(one);
        assertThat(sums("7", "uint8")).isEqualTo(one);
        assertThat(sums("7", "uint8", "--read", "pread")).isEqualTo(one);
        assertThat(sums("2", "uint8", "--layout", "hwc")).isNotEqualTo(one);
        for (String dtype : List.of("float16", "bfloat16", "float32")) {
            assertThat(sums("2", dtype)).as(dtype).hasSize(2 * PICTURES).isNotEqualTo(one);
        }
    }

    @Test
    void namesBadPictures() {
        run(1, "feed", damaged, "--decode", "image", "--transform", "CenterCrop(32)");
        assertThat(err)
                .contains("[" + damaged + "]", "cat/text.jpg", "cannot be decoded: byte 0: not a picture")
                .contains(
                        "; skip such samples with --bad skip (in Python bad=\"skip\"), or leave such pictures out of the"
                                + " container with pack --check-images --skip-bad")
                .doesNotContain("Exception");
        run(0, "feed", damaged, "--decode", "image", "--transform", "CenterCrop(32)", "--bad", "skip-and-report");
        assertThat(out).contains("1 samples", "bad: [" + damaged + "]", "cat/text.jpg", "not a picture");
    }

    /** As TensorFlow Datasets has them. */
    @Test
    void takesPicturesFromAFieldOfAnyName() throws IOException {
        String one = at("one.tfrecord");
        run(0, "convert", packed, "-o", one, "--name", "data=image/encoded");
        Files.delete(folder.resolve("one.tfrecord.stkx"));
        List<String> expected = sums("2", "uint8");
        List<String> feed =
                List.of("--transform", CHAIN, "--batch", "16", "--epochs", "2", "--seed", "3", "--print", "crc");
        var args = new ArrayList<>(List.of("feed", one, "--decode", "image"));
        args.addAll(feed);
        assertThat(run(0, args.toArray(String[]::new))).isEqualTo(expected);
        run(0, "show", one, "--rows", "2", "--columns", "3", "-o", at("one.png"));
        assertThat(out).contains("6 of 40 samples").doesNotContain("cannot be decoded");
        args.addAll(List.of("--decode-field", "image/encoded"));
        assertThat(run(0, args.toArray(String[]::new))).isEqualTo(expected);
        run(2, "feed", one, "--decode", "image", "--transform", CHAIN, "--decode-field", "image/encodet");
        assertThat(err).contains("no field 'image/encodet'", "did you mean 'image/encoded'");
        run(0, "show", one, "--decode-field", "label", "-o", at("labels.png"));
        assertThat(out).contains("40 cannot be decoded");
        run(2, "feed", one, "--decode-field", "image/encoded");
        assertThat(err).contains("--decode-field needs --decode");
    }

    @Test
    void measures() {
        run(0, "bench", "image", packed, "--transform", CHAIN, "--threads", "2", "--repeat", "1", "--json");
        assertThat(parse().get("samples")).isEqualTo((long) PICTURES);
        for (String rate : List.of("samples_per_s", "pipeline_samples_per_s", "ratio")) {
            assertThat((Double) parse().get(rate)).as(rate).isPositive();
        }
        run(1, "bench", "image", damaged, "--transform", CHAIN);
        assertThat(err).contains("cat/text.jpg");
    }

    @Test
    void showsAsStoredAndAsTrainingSees() throws IOException {
        run(0, "show", packed, "--rows", "2", "--columns", "3", "-o", at("sheet.png"));
        assertThat(out).contains(at("sheet.png"), "6 of 40 samples");
        BufferedImage sheet = ImageIO.read(folder.resolve("sheet.png").toFile());
        assertThat(sheet.getWidth()).isGreaterThan(sheet.getHeight());
        run(0, "show", packed, "--transform", CHAIN, "--rows", "2", "--columns", "3", "-o", at("sheet.html"));
        String html = Files.readString(folder.resolve("sheet.html"));
        assertThat(html.split("<img src=\"data:image/png;base64,", -1)).hasSize(7);
        assertThat(html).contains("cat", "dog", ".jpg").doesNotContain("http");
        run(0, "show", damaged, "-o", at("damaged.html"));
        assertThat(Files.readString(folder.resolve("damaged.html"))).contains("cat/text.jpg", "not a picture");
        run(1, "show", packed, "-o", at("sheet.png"));
        assertThat(err).contains("[" + at("sheet.png") + "] already exists; use --force to overwrite it");
        run(2, "show", packed, "-o", at("sheet.gif"));
        assertThat(err).contains(".png or .html");
    }

    @Test
    void saysWhatIsWrongWithTheTransform() {
        run(2, "feed", packed, "--decode", "image", "--transform", "Crop(2)");
        assertThat(err).contains("--transform: no transform is called Crop; there are Resize, CenterCrop");
        run(2, "feed", packed, "--decode", "image");
        assertThat(err).contains("different sizes; add RandomResizedCrop");
        run(2, "feed", packed, "--transform", CHAIN);
        assertThat(err).contains("--transform needs --decode image");
        run(2, "feed", packed, "--decode", "image", "--dtype", "float64");
        assertThat(err).contains("[uint8, float16, bfloat16, float32]");
    }
}
