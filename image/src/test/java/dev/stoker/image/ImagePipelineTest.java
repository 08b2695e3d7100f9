package dev.stoker.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.image.jpeg.JpegOptions;
import dev.stoker.image.kernel.Kernels;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class ImagePipelineTest {
    private static final String TRAIN = "RandomResizedCrop(64),RandomHorizontalFlip,ColorJitter(0.4,0.4,0.4,0.1)";

    static MemorySegment encode(int width, int height, int type, String format) {
        BufferedImage image = new BufferedImage(width, height, type);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                image.setRGB(x, y, 0x80000000 | (x * 2 & 255) << 16 | (y * 2 & 255) << 8 | (x + y & 255));
            }
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            assertThat(ImageIO.write(image, format, out)).isTrue();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return MemorySegment.ofArray(out.toByteArray());
    }

    private static final MemorySegment PHOTO = encode(200, 150, BufferedImage.TYPE_INT_RGB, "jpg");

    private static byte[] run(ImagePipeline pipeline, MemorySegment encoded, long seed, long epoch, long sample) {
        return run(pipeline.worker(), pipeline, encoded, seed, epoch, sample);
    }

    private static byte[] run(
            PipelineWorker worker, ImagePipeline pipeline, MemorySegment encoded, long seed, long epoch, long sample) {
        byte[] out = new byte[(int) pipeline.outputBytes()];
        worker.run(encoded, MemorySegment.ofArray(out), 0, seed, epoch, sample);
        return out;
    }

    @Test
    void randomnessIsAFunctionOfSeedEpochAndSample() {
        ImagePipeline p = ImagePipeline.parse(TRAIN, Layout.CHW, DType.UINT8);
        byte[] once = run(p, PHOTO, 1, 2, 3);
        PipelineWorker busy = p.worker();
        run(busy, p, encode(30, 40, BufferedImage.TYPE_INT_RGB, "png"), 1, 2, 2);
        run(busy, p, PHOTO, 9, 9, 9);
        assertThat(run(busy, p, PHOTO, 1, 2, 3)).isEqualTo(once);
        assertThat(run(p, PHOTO, 1, 2, 4)).isNotEqualTo(once);
        assertThat(run(p, PHOTO, 1, 3, 3)).isNotEqualTo(once);
        assertThat(run(p, PHOTO, 2, 2, 3)).isNotEqualTo(once);
    }

    @Test
    void vectorsAndPlainJavaGiveTheSame() {
        ImagePipeline p = ImagePipeline.parse(TRAIN, Layout.HWC, DType.UINT8);
        for (int sample = 0; sample < 50; sample++) {
            assertThat(run(p.worker(Kernels.scalar()), p, PHOTO, 1, 2, sample)).isEqualTo(run(p, PHOTO, 1, 2, sample));
        }
    }

    @Test
    void layoutsAndTypesHoldTheSamePicture() {
        String chain = "Resize((32,48)),Normalize(mean=(0.5,0.4,0.3),std=(0.2,0.3,0.4))";
        byte[] bytes = run(ImagePipeline.parse(chain, Layout.HWC, DType.UINT8), PHOTO, 0, 0, 0);
        float[] mean = {0.5f, 0.4f, 0.3f}, std = {0.2f, 0.3f, 0.4f};
        for (Layout layout : Layout.values()) {
            for (DType dtype : DType.values()) {
                ImagePipeline p = ImagePipeline.parse(chain, layout, dtype);
                assertThat(p.outputShape())
                        .containsExactly(layout == Layout.HWC ? new int[] {32, 48, 3} : new int[] {3, 32, 48});
                assertThat(p.deferredNormalize().isPresent()).isEqualTo(dtype == DType.UINT8);
                MemorySegment out = MemorySegment.ofArray(run(p, PHOTO, 0, 0, 0));
                for (int i = 0; i < 32 * 48 * 3; i++) {
                    int c = i % 3, pixel = i / 3;
                    int at = layout == Layout.HWC ? i : c * 32 * 48 + pixel;
                    float expected = ((bytes[i] & 255) / 255f - mean[c]) / std[c];
                    switch (dtype) {
                        case UINT8 ->
                            assertThat(out.get(ValueLayout.JAVA_BYTE, at)).isEqualTo(bytes[i]);
                        case FLOAT32 ->
                            assertThat(out.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * at))
                                    .isEqualTo(expected);
                        case FLOAT16 ->
                            assertThat(out.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * at))
                                    .isEqualTo(Float.floatToFloat16(expected));
                        case BFLOAT16 ->
                            assertThat(Float.intBitsToFloat(out.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * at) << 16))
                                    .isCloseTo(expected, org.assertj.core.data.Percentage.withPercentage(0.4));
                    }
                }
            }
        }
    }

    @Test
    void otherFormatsGiveTheirPixels() {
        ImagePipeline p = ImagePipeline.parse("CenterCrop((40,60))", Layout.HWC, DType.UINT8);
        byte[] expected = run(p, encode(60, 40, BufferedImage.TYPE_INT_RGB, "png"), 0, 0, 0);
        for (int i = 0; i < 60 * 40; i++) {
            int x = i % 60, y = i / 60;
            assertThat(Arrays.copyOfRange(expected, 3 * i, 3 * i + 3))
                    .containsExactly((byte) (2 * x), (byte) (2 * y), (byte) (x + y));
        }
        assertThat(run(p, encode(60, 40, BufferedImage.TYPE_3BYTE_BGR, "bmp"), 0, 0, 0))
                .isEqualTo(expected);
        assertThat(run(p, encode(60, 40, BufferedImage.TYPE_INT_ARGB, "png"), 0, 0, 0))
                .as("alpha is dropped")
                .isEqualTo(expected);
        byte[] palette = run(p, encode(60, 40, BufferedImage.TYPE_BYTE_INDEXED, "gif"), 0, 0, 0);
        assertThat(palette).hasSameSizeAs(expected);
        byte[] grey = run(p, encode(60, 40, BufferedImage.TYPE_BYTE_GRAY, "png"), 0, 0, 0);
        byte[] grey16 = run(p, encode(60, 40, BufferedImage.TYPE_USHORT_GRAY, "png"), 0, 0, 0);
        for (int i = 0; i < grey.length; i++) {
            assertThat(grey[i]).isEqualTo(grey[i / 3 * 3]);
            assertThat(Math.abs((grey[i] & 255) - (grey16[i] & 255))).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void whatIsNotAPictureIsRefused() {
        ImagePipeline p = ImagePipeline.parse("CenterCrop(8)", Layout.HWC, DType.UINT8);
        assertThatThrownBy(() -> run(p, MemorySegment.ofArray("hello".getBytes()), 0, 0, 0))
                .isInstanceOf(ImageException.class)
                .hasMessageContaining("not a picture of a known format: it begins with 68 65 6C 6C 6F");
        assertThatThrownBy(() -> run(p, MemorySegment.ofArray(new byte[0]), 0, 0, 0))
                .isInstanceOf(ImageException.class);
        byte[] png = encode(60, 40, BufferedImage.TYPE_INT_RGB, "png").toArray(ValueLayout.JAVA_BYTE);
        // Without the last chunk's sum nothing of the picture is missing, and ImageIO accepts it.
        for (int length = 0; length < png.length - 4; length += 7) {
            MemorySegment part = MemorySegment.ofArray(Arrays.copyOf(png, length));
            assertThatThrownBy(() -> run(p, part, 0, 0, 0)).isInstanceOf(ImageException.class);
        }
        ImagePipeline strict = p.with(PipelineOptions.DEFAULT.withJpeg(JpegOptions.DEFAULT.withMaxPixels(100)));
        assertThatThrownBy(() -> run(strict, MemorySegment.ofArray(png), 0, 0, 0))
                .hasMessageContaining("the limit is 100");
    }

    @Test
    void aCropLargerThanThePictureIsAsInTorchvision() {
        MemorySegment small = encode(10, 6, BufferedImage.TYPE_INT_RGB, "png");
        byte[] padded = run(ImagePipeline.parse("CenterCrop(16)", Layout.HWC, DType.UINT8), small, 0, 0, 0);
        assertThat(padded[(5 * 16 + 4) * 3 + 1]).as("pixel 1, 0").isEqualTo((byte) 0);
        assertThat(padded[(6 * 16 + 4) * 3]).as("pixel 1, 1").isEqualTo((byte) 2);
        assertThat(padded[0]).isEqualTo((byte) 0);
        ImagePipeline random = ImagePipeline.parse("RandomCrop(16)", Layout.HWC, DType.UINT8);
        assertThatThrownBy(() -> run(random, small, 0, 0, 0))
                .isInstanceOf(ImageException.class)
                .hasMessageContaining("use pad_if_needed=true");
        run(ImagePipeline.parse("RandomCrop(16,pad_if_needed=true)", Layout.HWC, DType.UINT8), small, 0, 0, 0);
    }

    @Test
    void orientationOnRequest() {
        byte[] plain = PHOTO.toArray(ValueLayout.JAVA_BYTE);
        byte[] exif = {
            -1,
            (byte) 0xE1,
            0,
            34,
            'E',
            'x',
            'i',
            'f',
            0,
            0,
            'M',
            'M',
            0,
            42,
            0,
            0,
            0,
            8,
            0,
            1,
            1,
            0x12,
            0,
            3,
            0,
            0,
            0,
            1,
            0,
            6,
            0,
            0,
            0,
            0,
            0,
            0
        };
        byte[] turned = new byte[plain.length + exif.length];
        System.arraycopy(plain, 0, turned, 0, 2);
        System.arraycopy(exif, 0, turned, 2, exif.length);
        System.arraycopy(plain, 2, turned, 2 + exif.length, plain.length - 2);
        ImagePipeline p = ImagePipeline.parse("CenterCrop((200,150))", Layout.HWC, DType.UINT8);
        byte[] upright = run(ImagePipeline.parse("CenterCrop((150,200))", Layout.HWC, DType.UINT8), PHOTO, 0, 0, 0);
        byte[] rotated = run(p.with(PipelineOptions.DEFAULT.withOrient(true)), MemorySegment.ofArray(turned), 0, 0, 0);
        // Orientation 6: the stored left column is the top row, read from the bottom.
        for (int y = 0; y < 200; y++) {
            for (int x = 0; x < 150; x++) {
                assertThat(rotated[(y * 150 + x) * 3]).isEqualTo(upright[((149 - x) * 200 + y) * 3]);
            }
        }
    }

    @Test
    void fastScaleIsCloseToExact() {
        MemorySegment large = encode(1000, 800, BufferedImage.TYPE_INT_RGB, "jpg");
        ImagePipeline exact = ImagePipeline.parse("Resize((10,10)),Grayscale", Layout.HWC, DType.UINT8);
        byte[] a = run(exact, large, 0, 0, 0);
        byte[] b = run(exact.with(PipelineOptions.DEFAULT.withFastScale(true)), large, 0, 0, 0);
        for (int i = 0; i < a.length; i++) {
            assertThat(Math.abs((a[i] & 255) - (b[i] & 255))).isLessThan(6);
        }
    }

    @Test
    void aSlotOutsideTheBatchIsTheCallersMistake() {
        ImagePipeline p = ImagePipeline.parse("CenterCrop(8)", Layout.HWC, DType.UINT8);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment batch = arena.allocate(2 * p.outputBytes());
            assertThatThrownBy(() -> p.worker().run(PHOTO, batch, p.outputBytes() + 1, 0, 0, 0))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
