package dev.stoker.image;

import dev.stoker.image.transform.Picture;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.ComponentColorModel;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;

/** Copies what ImageIO has read, as it is stored: Java's own conversion would treat grey as linear light. */
final class RasterPixels {
    private RasterPixels() {}

    static void copy(BufferedImage image, Picture out) {
        out.resize(image.getWidth(), image.getHeight());
        ColorModel model = image.getColorModel();
        if (model instanceof IndexColorModel palette) {
            copy(image.getRaster(), palette, out, 0, 0);
        } else if (model instanceof ComponentColorModel) {
            copySamples(image.getRaster(), model, out);
        } else {
            copyPacked(image, out);
        }
    }

    /** Copies the colors of a palette to a box of a picture. */
    static void copy(Raster raster, IndexColorModel palette, Picture out, int left, int top) {
        int[] row = new int[raster.getWidth()];
        for (int y = 0; y < raster.getHeight(); y++) {
            raster.getSamples(0, y, row.length, 1, 0, row);
            int at = (top + y) * out.width() + left;
            for (int x = 0; x < row.length; x++) {
                set(out, at + x, palette.getRed(row[x]), palette.getGreen(row[x]), palette.getBlue(row[x]));
            }
        }
    }

    private static void copySamples(Raster raster, ColorModel model, Picture out) {
        int bands = raster.getNumBands();
        int shift = Math.max(0, model.getComponentSize(0) - 8);
        int[] row = new int[out.width() * bands];
        for (int y = 0; y < out.height(); y++) {
            raster.getPixels(0, y, out.width(), 1, row);
            for (int x = 0; x < out.width(); x++) {
                int r = row[x * bands] >> shift;
                int g = bands >= 3 ? row[x * bands + 1] >> shift : r;
                int b = bands >= 3 ? row[x * bands + 2] >> shift : r;
                set(out, y * out.width() + x, r, g, b);
            }
        }
    }

    private static void copyPacked(BufferedImage image, Picture out) {
        int[] row = new int[out.width()];
        for (int y = 0; y < out.height(); y++) {
            image.getRGB(0, y, out.width(), 1, row, 0, out.width());
            for (int x = 0; x < row.length; x++) {
                set(out, y * out.width() + x, row[x] >> 16, row[x] >> 8, row[x]);
            }
        }
    }

    static void set(Picture out, int at, int red, int green, int blue) {
        out.plane(0)[at] = (byte) red;
        out.plane(1)[at] = (byte) green;
        out.plane(2)[at] = (byte) blue;
    }
}
