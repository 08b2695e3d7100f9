package dev.stoker.image.checks;

import dev.stoker.image.PixelFormat;
import dev.stoker.image.jpeg.JpegDecoder;
import dev.stoker.image.jpeg.JpegHeader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Microseconds per photo on one core: {@code BenchJpeg LIST-OF-FILES full|crop ROUNDS}. The boxes are those that
 * RandomResizedCrop draws. Prints the median round after the first two.
 */
public final class BenchJpeg {
    private BenchJpeg() {}

    public static void main(String[] args) throws Exception {
        List<String> names = Files.readAllLines(Path.of(args[0]));
        boolean crop = args[1].equals("crop");
        int rounds = Integer.parseInt(args[2]);
        JpegDecoder decoder = new JpegDecoder();
        MemorySegment out = Arena.global().allocate(4000L * 4000 * 3);
        MemorySegment[] files = new MemorySegment[names.size()];
        for (int i = 0; i < files.length; i++) {
            byte[] bytes = Files.readAllBytes(Path.of(names.get(i)));
            files[i] = Arena.global().allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
        }
        double[] times = new double[rounds];
        for (int r = -2; r < rounds; r++) {
            SplittableRandom random = new SplittableRandom(1);
            long start = cpuTime();
            for (MemorySegment file : files) {
                JpegHeader header = decoder.read(file);
                int[] box = crop
                        ? box(random, header.width(), header.height())
                        : new int[] {0, 0, header.width(), header.height()};
                decoder.decode(box[0], box[1], box[2], box[3], PixelFormat.RGB, out, 0, 3L * box[2]);
            }
            double micros = (cpuTime() - start) / 1e3 / files.length;
            if (r >= 0) {
                times[r] = micros;
            }
        }
        java.util.Arrays.sort(times);
        System.out.printf("java %s: median %.0f best %.0f us/photo%n", args[1], times[rounds / 2], times[0]);
    }

    /** Of this thread, so that other work on the machine disturbs less. */
    private static long cpuTime() {
        return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static int[] box(SplittableRandom random, int width, int height) {
        for (int i = 0; i < 10; i++) {
            double area = width * (double) height * random.nextDouble(0.08, 1);
            double ratio = Math.exp(random.nextDouble(Math.log(3 / 4.), Math.log(4 / 3.)));
            int w = (int) Math.round(Math.sqrt(area * ratio));
            int h = (int) Math.round(Math.sqrt(area / ratio));
            if (w > 0 && w <= width && h > 0 && h <= height) {
                return new int[] {random.nextInt(width - w + 1), random.nextInt(height - h + 1), w, h};
            }
        }
        int side = Math.min(width, height);
        return new int[] {(width - side) / 2, (height - side) / 2, side, side};
    }
}
