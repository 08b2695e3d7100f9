package dev.stoker.image.checks;

import dev.stoker.image.ImageException;
import dev.stoker.image.PictureReader;
import java.awt.image.BufferedImage;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;

/** Compares our pixels of pictures of any kind with those that images_others.py had from Pillow: {@code ComparePictures FOLDER}. */
public final class ComparePictures {
    private ComparePictures() {}

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        var reader = new PictureReader();
        var worst = new TreeMap<String, int[]>();
        int bad = 0;
        for (String line : Files.readAllLines(folder.resolve("manifest.tsv"))) {
            List<String> field = List.of(line.split("\t"));
            int[] kind = worst.computeIfAbsent(
                    field.getFirst().substring(field.getFirst().lastIndexOf('.') + 1), name -> new int[3]);
            byte[] encoded = Files.readAllBytes(folder.resolve(field.getFirst()));
            kind[0]++;
            boolean refused = !field.get(3).matches("\\d+");
            try {
                BufferedImage image = reader.read(MemorySegment.ofArray(encoded));
                int most = refused ? 256 : most(image, field, folder);
                kind[1] = Math.max(kind[1], most);
                if (most > Integer.parseInt(field.get(4))) {
                    bad++;
                    System.out.println("differs by " + (most == 256 ? "more" : most) + ": " + line);
                }
            } catch (ImageException e) {
                kind[2]++;
                if (!refused || !e.reason().contains(field.get(3))) {
                    bad++;
                    System.out.println("failed: " + line + ": " + e.reason());
                }
            }
        }
        worst.forEach((kind, found) -> System.out.println(kind + ": " + found[0] + " files, at most " + found[1]
                + " levels from Pillow, " + found[2] + " refused"));
        System.out.println(bad + " bad");
        if (bad > 0) {
            System.exit(1);
        }
    }

    /** How far the pixels are from Pillow's; 256 if they are others. */
    private static int most(BufferedImage image, List<String> field, Path folder) throws Exception {
        byte[] want = Files.readAllBytes(folder.resolve(field.getFirst() + ".rgb"));
        if (image.getWidth() != Integer.parseInt(field.get(1)) || image.getHeight() != Integer.parseInt(field.get(2))) {
            return 256;
        }
        int most = 0;
        for (int i = 0; i < want.length; i++) {
            int pixel = image.getRGB(i / 3 % image.getWidth(), i / 3 / image.getWidth());
            int ours = pixel >> (16 - 8 * (i % 3)) & 255;
            most = Math.max(most, Math.abs(ours - (want[i] & 255)));
        }
        return most;
    }
}
