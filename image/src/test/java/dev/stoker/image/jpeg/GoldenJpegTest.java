package dev.stoker.image.jpeg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.image.PixelFormat;
import dev.stoker.image.kernel.Kernels;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Small files of every kind decode to the pixels that libjpeg-turbo gives; checks/images_golden.py made them. */
class GoldenJpegTest {
    record Golden(String name, int width, int height, long crc) {
        @Override
        public String toString() {
            return name;
        }

        byte[] encoded() throws Exception {
            return resource(name + ".jpg");
        }
    }

    static byte[] resource(String name) throws Exception {
        try (InputStream in = GoldenJpegTest.class.getResourceAsStream("/jpeg/" + name)) {
            return in.readAllBytes();
        }
    }

    static List<Golden> goldens() throws Exception {
        List<Golden> all = new ArrayList<>();
        for (String line : new String(resource("manifest.tsv"), StandardCharsets.UTF_8).split("\n")) {
            String[] f = line.split("\t");
            all.add(new Golden(f[0], Integer.parseInt(f[1]), Integer.parseInt(f[2]), Long.parseLong(f[3])));
        }
        return all;
    }

    static byte[] decode(JpegDecoder decoder, byte[] encoded, int x, int y, int width, int height) {
        decoder.read(encoded, 0, encoded.length);
        byte[] out = new byte[width * height * 3];
        decoder.decode(x, y, width, height, PixelFormat.RGB, MemorySegment.ofArray(out), 0, 3L * width);
        return out;
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void pixelsAreThoseOfLibjpegTurbo(Golden golden) throws Exception {
        for (Kernels kernels : List.of(Kernels.best(), Kernels.scalar())) {
            JpegDecoder decoder = new JpegDecoder(JpegOptions.DEFAULT, kernels);
            byte[] pixels = decode(decoder, golden.encoded(), 0, 0, golden.width, golden.height);
            CRC32 crc = new CRC32();
            crc.update(pixels);
            assertThat(crc.getValue()).as(kernels.name()).isEqualTo(golden.crc);
        }
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void aBoxIsThatBoxOfTheWhole(Golden golden) throws Exception {
        JpegDecoder decoder = new JpegDecoder();
        byte[] whole = decode(decoder, golden.encoded(), 0, 0, golden.width, golden.height);
        long seed = 42;
        Random random = new Random(seed);
        for (int i = 0; i < 60; i++) {
            int w = 1 + random.nextInt(golden.width), h = 1 + random.nextInt(golden.height);
            int x = random.nextInt(golden.width - w + 1), y = random.nextInt(golden.height - h + 1);
            byte[] box = decode(decoder, golden.encoded(), x, y, w, h);
            for (int row = 0; row < h; row++) {
                int from = ((y + row) * golden.width + x) * 3;
                assertThat(Arrays.equals(whole, from, from + 3 * w, box, row * 3 * w, (row + 1) * 3 * w))
                        .as("row %d of box %d x %d at %d, %d; seed %d", row, w, h, x, y, seed)
                        .isTrue();
            }
        }
    }
}
