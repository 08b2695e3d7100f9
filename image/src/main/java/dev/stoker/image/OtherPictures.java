package dev.stoker.image;

import dev.stoker.image.transform.Picture;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.ComponentColorModel;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Iterator;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;

/**
 * Pictures other than JPEG, through ImageIO: PNG, BMP, GIF (first frame) and plain TIFF with the JDK alone, WebP and odd TIFF if
 * TwelveMonkeys' plugins are there. They become RGB as Pillow's {@code convert("RGB")} does it: alpha is dropped, of 16 bits the upper 8
 * are kept. Two exceptions: of 16-bit grey, which Pillow turns almost white, the upper 8 bits are kept too; and the plugin's
 * lossy WebP repeats chroma samples where libwebp interpolates.
 */
public final class OtherPictures {
    private final long maxPixels;

    public OtherPictures(long maxPixels) {
        this.maxPixels = maxPixels;
    }

    /** Decodes a picture; {@link ImageException} if that cannot be done. */
    public void decode(MemorySegment encoded, Picture out) {
        byte[] bytes = encoded.toArray(ValueLayout.JAVA_BYTE);
        try (ImageInputStream in = new PictureInput(bytes)) {
            Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
            if (!readers.hasNext()) {
                throw new ImageException(
                        0,
                        "not a picture of a known format: it begins with " + beginning(bytes)
                                + "; JPEG, PNG, BMP, GIF and TIFF are known, WebP with TwelveMonkeys' plugin");
            }
            ImageReader reader = readers.next();
            try {
                reader.setInput(in);
                PixelLimit.require(reader.getWidth(0), reader.getHeight(0), bytes.length, maxPixels);
                convert(reader.read(0), out);
            } finally {
                reader.dispose();
            }
        } catch (IOException | RuntimeException e) {
            // ImageIO's readers answer damaged pictures with exceptions of any kind.
            if (e instanceof ImageException known) {
                throw known;
            }
            String reason = e.getCause() == null ? e.toString() : e.getMessage() + ": " + e.getCause();
            throw new ImageException(0, "the picture cannot be decoded: " + reason, e);
        }
    }

    private static String beginning(byte[] bytes) {
        StringBuilder hex = new StringBuilder();
        for (int i = 0; i < Math.min(8, bytes.length); i++) {
            hex.append(String.format("%02X ", bytes[i]));
        }
        return hex.isEmpty() ? "nothing, it is empty" : hex.toString().trim();
    }

    private static void convert(BufferedImage image, Picture out) {
        out.resize(image.getWidth(), image.getHeight());
        ColorModel model = image.getColorModel();
        if (model instanceof IndexColorModel palette) {
            fromPalette(image.getRaster(), palette, out);
        } else if (model instanceof ComponentColorModel) {
            fromSamples(image.getRaster(), model, out);
        } else {
            fromPacked(image, out);
        }
    }

    private static void fromPalette(Raster raster, IndexColorModel palette, Picture out) {
        int[] row = new int[out.width()];
        for (int y = 0; y < out.height(); y++) {
            raster.getSamples(0, y, out.width(), 1, 0, row);
            for (int x = 0; x < row.length; x++) {
                set(
                        out,
                        y * out.width() + x,
                        palette.getRed(row[x]),
                        palette.getGreen(row[x]),
                        palette.getBlue(row[x]));
            }
        }
    }

    /** Samples as they are stored: Java's own conversion would treat grey as linear light. */
    private static void fromSamples(Raster raster, ColorModel model, Picture out) {
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

    private static void fromPacked(BufferedImage image, Picture out) {
        int[] row = new int[out.width()];
        for (int y = 0; y < out.height(); y++) {
            image.getRGB(0, y, out.width(), 1, row, 0, out.width());
            for (int x = 0; x < row.length; x++) {
                set(out, y * out.width() + x, row[x] >> 16, row[x] >> 8, row[x]);
            }
        }
    }

    private static void set(Picture out, int at, int red, int green, int blue) {
        out.plane(0)[at] = (byte) red;
        out.plane(1)[at] = (byte) green;
        out.plane(2)[at] = (byte) blue;
    }
}
