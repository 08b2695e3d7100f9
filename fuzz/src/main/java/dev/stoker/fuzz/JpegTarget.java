package dev.stoker.fuzz;

import dev.stoker.image.ImageException;
import dev.stoker.image.PixelFormat;
import dev.stoker.image.jpeg.JpegDecoder;
import dev.stoker.image.jpeg.JpegHeader;
import dev.stoker.image.jpeg.JpegOptions;
import dev.stoker.testkit.Workshop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** A JPEG is decoded, whole or a part of it, in its size or smaller; what is asked for follows from the input. */
final class JpegTarget implements Target {
    private static final int SIDE = 512;

    private final Memory memory = new Memory();
    private final MemorySegment out = Arena.ofAuto().allocate(3L * SIDE * SIDE);
    private final JpegDecoder[] decoders = {
        new JpegDecoder(), new JpegDecoder(JpegOptions.DEFAULT.withAcceptTruncated(true))
    };

    @Override
    public String name() {
        return "jpeg";
    }

    @Override
    public void read(byte[] input) {
        var random = new SplittableRandom(Arrays.hashCode(input));
        JpegDecoder decoder = decoders[random.nextInt(2)];
        try {
            decode(decoder, memory.of(input), random);
        } catch (ImageException e) {
            Use.require(e.offset() >= 0 && e.offset() <= input.length, "an error outside the picture");
            throw e;
        }
    }

    private void decode(JpegDecoder decoder, MemorySegment encoded, SplittableRandom random) {
        JpegHeader header = decoder.read(encoded);
        int shrink = 1 << random.nextInt(8) / 5 * random.nextInt(4);
        int width = (header.width() + shrink - 1) / shrink;
        int height = (header.height() + shrink - 1) / shrink;
        int w = Math.min(SIDE, random.nextBoolean() ? width : 1 + random.nextInt(width));
        int h = Math.min(SIDE, random.nextBoolean() ? height : 1 + random.nextInt(height));
        PixelFormat format = random.nextInt(4) == 0 ? PixelFormat.GREY : PixelFormat.RGB;
        decoder.decodeScaled(
                shrink, random.nextInt(width - w + 1), random.nextInt(height - h + 1), w, h, format, out, 0, 3L * w);
    }

    /** Those that the decoder is compared with other decoders by: every kind of sampling and scan. */
    @Override
    public List<byte[]> made() {
        Path folder = Path.of(System.getProperty("stoker.root", "."), "image/src/test/resources/jpeg");
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jpg"))
                    .sorted()
                    .map(Workshop::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The coefficients of 16 million pixels, which are believed of any file, and what the last row of blocks is filled up with. */
    @Override
    public long mostAllocated() {
        return 256 << 20;
    }

    @Override
    public boolean isRefusal(Throwable failure) {
        return failure instanceof ImageException;
    }
}
