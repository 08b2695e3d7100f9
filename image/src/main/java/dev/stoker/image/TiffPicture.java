package dev.stoker.image;

import dev.stoker.image.transform.Orientation;
import dev.stoker.image.transform.Picture;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.io.IOException;
import java.util.List;
import javax.imageio.ImageReader;
import javax.imageio.metadata.IIOMetadataFormatImpl;
import javax.imageio.metadata.IIOMetadataNode;

/**
 * The first page of a TIFF, turned as it says. Its numbers are taken as they are: a single channel of more than 8 bits, or
 * of floats, is a picture if they are those of one, from 0 to 255. For one thread.
 */
final class TiffPicture {
    /** In the order of TIFF's numbers for them, from 1. */
    private static final List<String> ORIENTATIONS =
            List.of("Normal", "FlipH", "Rotate180", "FlipV", "FlipHRotate90", "Rotate270", "FlipVRotate90", "Rotate90");

    private final Picture stored = new Picture();

    void read(ImageReader reader, Picture out) throws IOException {
        var facts = (IIOMetadataNode)
                reader.getImageMetadata(0).getAsTree(IIOMetadataFormatImpl.standardMetadataFormatName);
        if (value(facts, "ColorSpaceType", "name").equals("Lab")) {
            throw refused("its colors are CIELAB; convert it to RGB");
        }
        int orientation = ORIENTATIONS.indexOf(value(facts, "ImageOrientation", "value")) + 1;
        if (orientation > 1) {
            copy(reader, facts, stored);
            Orientation.apply(orientation, stored, out);
        } else {
            copy(reader, facts, out);
        }
    }

    private static String value(IIOMetadataNode facts, String element, String attribute) {
        return facts.getElementsByTagName(element).item(0) instanceof IIOMetadataNode found
                ? found.getAttribute(attribute)
                : "";
    }

    private static void copy(ImageReader reader, IIOMetadataNode facts, Picture out) throws IOException {
        String kind = value(facts, "SampleFormat", "value");
        if (kind.equals("Real") && reader.canReadRaster()) {
            // An image of floats would have them cut to 0 to 1.
            copyNumbers(reader.readRaster(0, null), out);
            return;
        }
        BufferedImage image = reader.read(0);
        Raster raster = image.getRaster();
        int bits = bits(raster);
        boolean isUnsigned = !List.of("SignedIntegral", "Real").contains(kind);
        if (image.getColorModel() instanceof IndexColorModel) {
            RasterPixels.copy(image, out);
        } else if (bits > 16 || !isUnsigned || (bits > 8 && raster.getNumBands() == 1)) {
            copyNumbers(raster, out);
        } else if (value(facts, "ColorSpaceType", "name").equals("CMYK")) {
            copyInks(raster, out);
        } else if (value(facts, "Alpha", "value").equals("premultiplied") && raster.getNumBands() == 4) {
            copyPremultiplied(raster, out);
        } else {
            RasterPixels.copy(image, out);
        }
    }

    private static int bits(Raster raster) {
        return raster.getSampleModel().getSampleSize(0);
    }

    private static ImageException refused(String why) {
        return new ImageException(0, "the TIFF is not taken as a picture: " + why);
    }

    private static void copyNumbers(Raster raster, Picture out) {
        if (raster.getNumBands() != 1) {
            throw refused("it has " + raster.getNumBands() + " channels of " + bits(raster)
                    + "-bit numbers; convert it to 8 bits a channel, or pack it as an array (.npy)");
        }
        out.resize(raster.getWidth(), raster.getHeight());
        double least = Double.POSITIVE_INFINITY, most = Double.NEGATIVE_INFINITY;
        boolean isWhole = true;
        double[] row = new double[out.width()];
        for (int y = 0; y < out.height(); y++) {
            raster.getSamples(0, y, row.length, 1, 0, row);
            for (int x = 0; x < row.length; x++) {
                int level = (int) row[x];
                least = Math.min(least, row[x]);
                most = Math.max(most, row[x]);
                isWhole &= level == row[x];
                RasterPixels.set(out, y * row.length + x, level, level, level);
            }
        }
        boolean isWithin = least >= 0 && most < 256;
        if (!isWithin || (!isWhole && most <= 1)) {
            throw refused("it has one channel of " + bits(raster) + "-bit numbers from " + (float) least + " to "
                    + (float) most
                    + (isWithin ? ", which is not" : ", beyond") + " the 0 to 255 of a picture; scale them to 8 bits,"
                    + " or pack it as an array (.npy)");
        }
    }

    /** Cyan, magenta, yellow and black to red, green and blue. */
    private static void copyInks(Raster raster, Picture out) {
        int bits = bits(raster);
        out.resize(raster.getWidth(), raster.getHeight());
        int[] row = new int[out.width() * raster.getNumBands()];
        int bands = raster.getNumBands();
        for (int y = 0; y < out.height(); y++) {
            raster.getPixels(0, y, out.width(), 1, row);
            for (int x = 0; x < out.width(); x++) {
                int light = 255 - level(row[x * bands + 3], bits);
                RasterPixels.set(
                        out,
                        y * out.width() + x,
                        light - share(level(row[x * bands], bits), light),
                        light - share(level(row[x * bands + 1], bits), light),
                        light - share(level(row[x * bands + 2], bits), light));
            }
        }
    }

    /** The product of two levels of 255, rounded as Pillow does. */
    private static int share(int level, int of) {
        int product = level * of + 128;
        return (product >> 8) + product >> 8;
    }

    private static int level(int sample, int bits) {
        return sample >> Math.max(0, bits - 8);
    }

    /** Colors that were multiplied with their alpha: that is undone, since alpha is dropped. */
    private static void copyPremultiplied(Raster raster, Picture out) {
        int bits = bits(raster);
        out.resize(raster.getWidth(), raster.getHeight());
        int[] row = new int[4 * out.width()];
        for (int y = 0; y < out.height(); y++) {
            raster.getPixels(0, y, out.width(), 1, row);
            for (int x = 0; x < out.width(); x++) {
                int alpha = level(row[4 * x + 3], bits);
                RasterPixels.set(
                        out,
                        y * out.width() + x,
                        undone(level(row[4 * x], bits), alpha),
                        undone(level(row[4 * x + 1], bits), alpha),
                        undone(level(row[4 * x + 2], bits), alpha));
            }
        }
    }

    private static int undone(int level, int alpha) {
        return alpha == 0 ? 0 : Math.min(255, level * 255 / alpha);
    }
}
