package dev.stoker.image.checks;

import dev.stoker.image.PixelFormat;
import dev.stoker.image.jpeg.JpegDecoder;
import dev.stoker.image.jpeg.JpegHeader;
import dev.stoker.image.jpeg.JpegOptions;
import dev.stoker.image.jpeg.RestartInserter;
import dev.stoker.image.kernel.Kernels;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;

/**
 * Compares our pixels with those that images_make.py had from Pillow, boxes with the whole, vectors with plain Java, and files
 * with restart markers put in with those without.
 */
public final class CompareJpegs {
    private static final int BOXES = 5;
    private static final int MOST_INTERVAL = 20;

    private CompareJpegs() {}

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        long seed = args.length > 1 ? Long.parseLong(args[1]) : 1;
        Random random = new Random(seed);
        JpegDecoder best = new JpegDecoder();
        JpegDecoder scalar = new JpegDecoder(JpegOptions.DEFAULT, Kernels.scalar());
        int files = 0, boxes = 0, marked = 0, bad = 0;
        for (String line : Files.readAllLines(folder.resolve("manifest.tsv"))) {
            String[] field = line.split("\t");
            byte[] encoded = Files.readAllBytes(folder.resolve(field[0]));
            int shrink = Integer.parseInt(field[1]);
            int width = Integer.parseInt(field[2]);
            int height = Integer.parseInt(field[3]);
            files++;
            try {
                byte[] whole = decode(best, encoded, shrink, 0, 0, width, height);
                CRC32 crc = new CRC32();
                crc.update(whole);
                if (crc.getValue() != Long.parseLong(field[4])) {
                    bad++;
                    System.out.println("differs from Pillow: " + line);
                }
                if (!Arrays.equals(whole, decode(scalar, encoded, shrink, 0, 0, width, height))) {
                    bad++;
                    System.out.println("scalar differs from " + Kernels.best().name() + ": " + line);
                }
                for (int i = 0; i < BOXES; i++, boxes++) {
                    int w = 1 + random.nextInt(width), h = 1 + random.nextInt(height);
                    int x = random.nextInt(width - w + 1), y = random.nextInt(height - h + 1);
                    byte[] box = decode(i == 0 ? scalar : best, encoded, shrink, x, y, w, h);
                    for (int row = 0; row < h; row++) {
                        int from = ((y + row) * width + x) * 3;
                        if (!Arrays.equals(whole, from, from + 3 * w, box, row * w * 3, (row + 1) * w * 3)) {
                            bad++;
                            System.out.println("box " + List.of(x, y, w, h) + " differs from the whole: " + line);
                            break;
                        }
                    }
                }
                byte[] withMarkers =
                        new RestartInserter(1 + random.nextInt(MOST_INTERVAL)).insert(MemorySegment.ofArray(encoded));
                if (withMarkers != null) {
                    marked++;
                    if (!Arrays.equals(whole, decode(best, withMarkers, shrink, 0, 0, width, height))) {
                        bad++;
                        System.out.println("differs with restart markers: " + line);
                    }
                }
            } catch (RuntimeException e) {
                bad++;
                System.out.println("failed: " + line + ": " + e);
                if (!(e instanceof dev.stoker.image.ImageException)) {
                    e.printStackTrace(System.out);
                }
            }
        }
        System.out.println(Kernels.best().name() + ", seed " + seed + ": " + files + " files, " + boxes + " boxes, "
                + marked + " with restart markers put in, " + bad + " bad");
        if (bad > 0) {
            System.exit(1);
        }
    }

    private static byte[] decode(JpegDecoder decoder, byte[] encoded, int shrink, int x, int y, int w, int h) {
        JpegHeader header = decoder.read(encoded, 0, encoded.length);
        int wholeWidth = (header.width() + shrink - 1) / shrink;
        if (x + w > wholeWidth) {
            throw new IllegalStateException("width is " + header.width());
        }
        byte[] out = new byte[w * h * 3];
        decoder.decodeScaled(shrink, x, y, w, h, PixelFormat.RGB, MemorySegment.ofArray(out), 0, 3L * w);
        return out;
    }
}
