package dev.stoker.image.checks;

import dev.stoker.image.PixelFormat;
import dev.stoker.image.jpeg.JpegDecoder;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes JPEGs by one thread, whole or only a box of each: {@code BenchJpeg LIST}, which has a line "PATH X Y WIDTH HEIGHT"
 * for each picture. For each line "full" or "crop" of the input it decodes all of them once, and prints the microseconds of
 * processor time for one. See bench/python/jpeg.py.
 */
public final class BenchJpeg {
    private final JpegDecoder decoder = new JpegDecoder();
    private final MemorySegment out = Arena.global().allocate(4000L * 4000 * 3);

    private record Picture(MemorySegment bytes, int x, int y, int width, int height) {}

    private BenchJpeg() {}

    public static void main(String[] args) throws Exception {
        List<Picture> pictures = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            String[] words = line.split(" ");
            byte[] bytes = Files.readAllBytes(Path.of(words[0]));
            MemorySegment memory = Arena.global().allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
            int[] box = new int[4];
            for (int i = 0; i < 4; i++) {
                box[i] = Integer.parseInt(words[1 + i]);
            }
            pictures.add(new Picture(memory, box[0], box[1], box[2], box[3]));
        }
        var bench = new BenchJpeg();
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            System.out.println(bench.micros(pictures, line.equals("crop")));
        }
    }

    private double micros(List<Picture> pictures, boolean crop) {
        long start = cpuTime();
        for (Picture picture : pictures) {
            var header = decoder.read(picture.bytes);
            if (crop) {
                decode(picture.x, picture.y, picture.width, picture.height);
            } else {
                decode(0, 0, header.width(), header.height());
            }
        }
        return (cpuTime() - start) / 1e3 / pictures.size();
    }

    private void decode(int x, int y, int width, int height) {
        decoder.decode(x, y, width, height, PixelFormat.RGB, out, 0, 3L * width);
    }

    /** Of this thread, so that other work on the machine disturbs less. */
    private static long cpuTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
