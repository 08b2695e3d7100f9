package dev.stoker.image.jpeg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.image.ImageException;
import dev.stoker.image.PixelFormat;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class JpegDecoderTest {
    private final JpegDecoder decoder = new JpegDecoder();

    /** A picture that Java's own encoder writes: 4:2:0, standard tables. */
    static byte[] photo(int width, int height) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                image.setRGB(x, y, (x * 5 & 255) << 16 | (x * y / 7 & 255) << 8 | (y * 3 & 255));
            }
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, "jpg", out);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    static int indexOf(byte[] bytes, int marker) {
        for (int i = 0; i < bytes.length - 1; i++) {
            if (bytes[i] == -1 && (bytes[i + 1] & 255) == marker) {
                return i;
            }
        }
        throw new AssertionError("no marker " + marker);
    }

    private void refuses(byte[] encoded, String reason) {
        assertThatThrownBy(() -> {
                    JpegHeader h = decoder.read(encoded, 0, encoded.length);
                    GoldenJpegTest.decode(decoder, encoded, 0, 0, h.width(), h.height());
                })
                .isInstanceOf(ImageException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void differsLittleFromJavasOwnDecoder() throws Exception {
        byte[] encoded = photo(203, 117);
        byte[] ours = GoldenJpegTest.decode(decoder, encoded, 0, 0, 203, 117);
        BufferedImage theirs = ImageIO.read(new java.io.ByteArrayInputStream(encoded));
        for (int i = 0; i < 203 * 117; i++) {
            int rgb = theirs.getRGB(i % 203, i / 203);
            assertThat(Math.abs((ours[3 * i + 1] & 255) - (rgb >> 8 & 255))).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void theHeaderSaysWhatIsThere() throws Exception {
        JpegHeader header = decoder.read(
                GoldenJpegTest.resource("restart-progressive.jpg"),
                0,
                GoldenJpegTest.resource("restart-progressive.jpg").length);
        assertThat(header.width()).isEqualTo(61);
        assertThat(header.height()).isEqualTo(50);
        assertThat(header.progressive()).isTrue();
        assertThat(header.colour()).isEqualTo(JpegHeader.Colour.YCBCR);
        assertThat(header.restartInterval()).isEqualTo(4);
        assertThat(header.orientation()).isEqualTo(1);
    }

    @Test
    void writesRowsWhereTheStrideSaysAndNowhereElse() {
        byte[] encoded = photo(50, 20);
        byte[] tight = GoldenJpegTest.decode(decoder, encoded, 3, 4, 40, 10);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment in = arena.allocate(encoded.length + 10L);
            MemorySegment.copy(encoded, 0, in, ValueLayout.JAVA_BYTE, 10, encoded.length);
            MemorySegment out = arena.allocate(5000);
            out.fill((byte) 77);
            decoder.read(in.asSlice(10));
            decoder.decode(3, 4, 40, 10, PixelFormat.RGB, out, 100, 200);
            for (int i = 0; i < 5000; i++) {
                int row = (i - 100) / 200, column = (i - 100) % 200;
                boolean inside = i >= 100 && row < 10 && column < 120;
                assertThat(out.get(ValueLayout.JAVA_BYTE, i))
                        .as("byte %d", i)
                        .isEqualTo(inside ? tight[row * 120 + column] : (byte) 77);
            }
        }
    }

    @Test
    void greyIsTheLuma() throws Exception {
        byte[] encoded = GoldenJpegTest.resource("grey.jpg");
        byte[] rgb = GoldenJpegTest.decode(decoder, encoded, 0, 0, 33, 17);
        byte[] grey = new byte[33 * 17];
        decoder.decode(0, 0, 33, 17, PixelFormat.GREY, MemorySegment.ofArray(grey), 0, 33);
        for (int i = 0; i < grey.length; i++) {
            assertThat(grey[i]).isEqualTo(rgb[3 * i]).isEqualTo(rgb[3 * i + 1]);
        }
    }

    @Test
    void aShrunkPictureResemblesTheWhole() {
        byte[] encoded = photo(160, 80);
        for (int shrink : new int[] {2, 4, 8}) {
            decoder.read(encoded, 0, encoded.length);
            byte[] out = new byte[160 / shrink * (80 / shrink) * 3];
            decoder.decodeScaled(
                    shrink,
                    0,
                    0,
                    160 / shrink,
                    80 / shrink,
                    PixelFormat.RGB,
                    MemorySegment.ofArray(out),
                    0,
                    3L * 160 / shrink);
            // The bottom right corner is x = 159: blue is 3 y.
            int blue = out[out.length - 1] & 255;
            assertThat(blue).isBetween(200, 245);
        }
    }

    @Test
    void truncatedIsRefusedOrTakenAsFarAsItGoes() {
        byte[] encoded = photo(200, 200);
        byte[] half = Arrays.copyOf(encoded, encoded.length / 2);
        refuses(half, "truncated");
        JpegDecoder lenient = new JpegDecoder(JpegOptions.DEFAULT.withAcceptTruncated(true));
        byte[] whole = GoldenJpegTest.decode(lenient, encoded, 0, 0, 200, 200);
        byte[] part = GoldenJpegTest.decode(lenient, half, 0, 0, 200, 200);
        assertThat(Arrays.copyOf(part, 200 * 3 * 16)).isEqualTo(Arrays.copyOf(whole, 200 * 3 * 16));
        assertThat(part[part.length - 1] & 255).isEqualTo(128);
        assertThat(GoldenJpegTest.decode(decoder, half, 0, 0, 200, 16)).isEqualTo(Arrays.copyOf(whole, 200 * 3 * 16));
    }

    @Test
    void everyPrefixIsRefusedOrDecoded() throws Exception {
        for (String name : new String[] {"progressive-2x2.jpg", "restart-blocks.jpg", "cmyk.jpg"}) {
            byte[] encoded = GoldenJpegTest.resource(name);
            JpegDecoder lenient = new JpegDecoder(JpegOptions.DEFAULT.withAcceptTruncated(true));
            for (int length = 0; length < encoded.length; length++) {
                for (JpegDecoder d : new JpegDecoder[] {decoder, lenient}) {
                    try {
                        JpegHeader h = d.read(encoded, 0, length);
                        GoldenJpegTest.decode(d, Arrays.copyOf(encoded, length), 0, 0, h.width(), h.height());
                    } catch (ImageException e) {
                        assertThat(e.offset()).isBetween(0L, (long) length);
                    }
                }
            }
        }
    }

    @Test
    void whatIsNotSupportedIsNamed() {
        byte[] encoded = photo(32, 32);
        int frame = indexOf(encoded, 0xC0);
        byte[] arithmetic = encoded.clone();
        arithmetic[frame + 1] = (byte) 0xC9;
        refuses(arithmetic, "byte " + frame + ": arithmetic-coded JPEG is not supported");
        byte[] lossless = encoded.clone();
        lossless[frame + 1] = (byte) 0xC3;
        refuses(lossless, "lossless JPEG is not supported");
        byte[] twelve = encoded.clone();
        twelve[frame + 4] = 12;
        refuses(twelve, "JPEG with 12 bits per sample is not supported");
        byte[] noHeight = encoded.clone();
        noHeight[frame + 5] = 0;
        noHeight[frame + 6] = 0;
        refuses(noHeight, "(DNL) is not supported");
    }

    @Test
    void notAPictureAndTooManyPixels() {
        refuses(new byte[0], "not a JPEG");
        refuses("hello, world".getBytes(), "not a JPEG");
        byte[] huge = photo(32, 32);
        int frame = indexOf(huge, 0xC0);
        Arrays.fill(huge, frame + 5, frame + 9, (byte) 0xFF);
        refuses(huge, "65535 x 65535 = 4294836225 pixels; the limit is 178956970");
        byte[] hollow = photo(32, 32);
        Arrays.fill(hollow, frame + 5, frame + 9, (byte) 0x0A);
        refuses(hollow, "bytes cannot hold 2570 x 2570 pixels; the picture is truncated");
        byte[] bomb = photo(32, 32);
        Arrays.fill(bomb, frame + 5, frame + 9, (byte) 0x30);
        String claim = "says that it has 12336 x 12336 = 152176896 pixels, but has only " + bomb.length + " bytes";
        refuses(bomb, claim);
        JpegDecoder lenient = new JpegDecoder(JpegOptions.DEFAULT.withAcceptTruncated(true));
        assertThatThrownBy(() -> lenient.read(bomb, 0, bomb.length)).hasMessageContaining(claim);
        byte[] small = photo(32, 32);
        JpegDecoder strict = new JpegDecoder(JpegOptions.DEFAULT.withMaxPixels(1000));
        assertThatThrownBy(() -> strict.read(small, 0, small.length)).hasMessageContaining("the limit is 1000");
    }

    @Test
    void aMissingRestartMarkerIsNoticed() throws Exception {
        byte[] encoded = GoldenJpegTest.resource("restart-blocks.jpg");
        encoded[indexOf(encoded, 0xD1) + 1] = (byte) 0xD3;
        refuses(encoded, "RST3 where RST1 should be");
    }

    @Test
    void aBoxOutsideThePictureIsTheCallersMistake() {
        byte[] encoded = photo(32, 32);
        decoder.read(encoded, 0, encoded.length);
        assertThatThrownBy(() -> decoder.prepare(1, 1, 0, 32, 32))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the box 32 x 32 at 1, 0 is not inside the picture of 32 x 32");
    }

    @Test
    void allocatesNothingOnceItsBuffersAreThere() throws Exception {
        MemorySegment baseline = MemorySegment.ofArray(photo(300, 200));
        MemorySegment progressive = MemorySegment.ofArray(GoldenJpegTest.resource("progressive-2x2.jpg"));
        MemorySegment out = MemorySegment.ofArray(new byte[300 * 200 * 3]);
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        long perPicture = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 60; attempt++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 100; i++) {
                decoder.read(baseline);
                decoder.decode(10, 10, 200, 100, PixelFormat.RGB, out, 0, 600);
                decoder.read(progressive);
                decoder.decode(0, 0, 45, 35, PixelFormat.RGB, out, 0, 600);
            }
            perPicture = Math.min(perPicture, (threads.getCurrentThreadAllocatedBytes() - before) / 200);
        }
        // Until the compiler has seen them, vectors are objects; afterwards nothing is left.
        assertThat(perPicture).isLessThan(64);
    }
}
