package dev.stoker.bench;

import dev.stoker.container.Container;
import dev.stoker.image.ImageException;
import dev.stoker.image.PixelFormat;
import dev.stoker.image.TurboJpeg;
import dev.stoker.image.jpeg.JpegDecoder;
import dev.stoker.image.jpeg.JpegHeader;
import dev.stoker.image.jpeg.JpegOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Whole JPEGs decoded by one thread, by us and by libturbojpeg in turn: processor time, medians. */
final class FullDecode {
    private static final int MOST = 300;
    private static final int ROUNDS = 7;
    private static final int WARM_ROUNDS = 2;
    private static final long MAX_PIXELS = JpegOptions.DEFAULT.maxPixels();

    private FullDecode() {}

    /**
     * What was measured.
     *
     * @param micros for one picture by our decoder
     * @param turboMicros by libturbojpeg
     */
    record Result(double micros, double turboMicros) {}

    /** Empty where there is no libturbojpeg, or no JPEG that both know. */
    static Optional<Result> run(Container container, int field) {
        Optional<TurboJpeg> found = TurboJpeg.open();
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (TurboJpeg turbo = found.get();
                var arena = Arena.ofConfined()) {
            var decoder = new JpegDecoder();
            List<MemorySegment> pictures = pictures(container, field, turbo, decoder);
            if (pictures.isEmpty()) {
                return Optional.empty();
            }
            MemorySegment out = arena.allocate(largest(pictures, decoder));
            var ours = new double[ROUNDS];
            var theirs = new double[ROUNDS];
            for (int round = -WARM_ROUNDS; round < ROUNDS; round++) {
                double a = micros(pictures, picture -> decode(decoder, picture, out));
                double b = micros(pictures, picture -> turbo.decode(picture, MAX_PIXELS));
                if (round >= 0) {
                    ours[round] = a;
                    theirs[round] = b;
                }
            }
            Arrays.sort(ours);
            Arrays.sort(theirs);
            return Optional.of(new Result(ours[ROUNDS / 2], theirs[ROUNDS / 2]));
        }
    }

    private static List<MemorySegment> pictures(Container container, int field, TurboJpeg turbo, JpegDecoder decoder) {
        var pictures = new ArrayList<MemorySegment>();
        for (long i = 0; i < container.count() && pictures.size() < MOST; i++) {
            MemorySegment picture = container.value(i, field);
            if (JpegDecoder.isJpeg(picture) && doBothDecode(picture, turbo, decoder)) {
                pictures.add(picture);
            }
        }
        return pictures;
    }

    private static boolean doBothDecode(MemorySegment picture, TurboJpeg turbo, JpegDecoder decoder) {
        try {
            decoder.read(picture);
            turbo.decode(picture, MAX_PIXELS);
            return true;
        } catch (ImageException e) {
            return false;
        }
    }

    private static long largest(List<MemorySegment> pictures, JpegDecoder decoder) {
        long largest = 0;
        for (MemorySegment picture : pictures) {
            JpegHeader header = decoder.read(picture);
            largest = Math.max(largest, 3L * header.width() * header.height());
        }
        return largest;
    }

    private static void decode(JpegDecoder decoder, MemorySegment picture, MemorySegment out) {
        JpegHeader header = decoder.read(picture);
        decoder.decode(0, 0, header.width(), header.height(), PixelFormat.RGB, out, 0, 3L * header.width());
    }

    private interface Job {
        void run(MemorySegment picture);
    }

    private static double micros(List<MemorySegment> pictures, Job job) {
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (MemorySegment picture : pictures) {
            job.run(picture);
        }
        long end = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        return (end - start) / 1e3 / pictures.size();
    }
}
