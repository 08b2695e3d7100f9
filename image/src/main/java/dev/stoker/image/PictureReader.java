package dev.stoker.image;

import dev.stoker.image.jpeg.JpegDecoder;
import dev.stoker.image.jpeg.JpegHeader;
import dev.stoker.image.jpeg.JpegOptions;
import dev.stoker.image.transform.Picture;
import java.awt.image.BufferedImage;
import java.lang.foreign.MemorySegment;

/** Decodes whole pictures as they are stored, to be looked at. For one thread. */
public final class PictureReader {
    /** A picture of three bytes per pixel is one array. */
    private static final long MAX_PIXELS = Integer.MAX_VALUE / 4;

    private final JpegDecoder jpeg = new JpegDecoder();
    private final OtherPictures others = new OtherPictures(Math.min(MAX_PIXELS, JpegOptions.DEFAULT.maxPixels()));
    private final Picture picture = new Picture();

    /** The whole picture; {@link ImageException} if it cannot be decoded. */
    public BufferedImage read(MemorySegment encoded) {
        return JpegDecoder.isJpeg(encoded) ? readJpeg(encoded) : readOther(encoded);
    }

    private BufferedImage readJpeg(MemorySegment encoded) {
        JpegHeader header;
        try {
            header = jpeg.read(encoded);
        } catch (ImageException e) {
            TurboJpeg.decodeInstead(e, encoded, MAX_PIXELS, picture);
            return image(picture);
        }
        int width = header.width();
        int height = header.height();
        if ((long) width * height > MAX_PIXELS) {
            throw new ImageException(0, width + " x " + height + " pixels are too many to be shown");
        }
        byte[] pixels = new byte[3 * width * height];
        jpeg.decode(0, 0, width, height, PixelFormat.RGB, MemorySegment.ofArray(pixels), 0, 3L * width);
        return image(pixels, height, width, 3);
    }

    private BufferedImage readOther(MemorySegment encoded) {
        others.decode(encoded, picture);
        return image(picture);
    }

    private static BufferedImage image(Picture picture) {
        var image = new BufferedImage(picture.width(), picture.height(), BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < picture.height(); y++) {
            for (int x = 0; x < picture.width(); x++) {
                int at = y * picture.width() + x;
                image.setRGB(x, y, rgb(picture.plane(0)[at], picture.plane(1)[at], picture.plane(2)[at]));
            }
        }
        return image;
    }

    /** A picture of pixels row by row, each of 1 byte (grey) or 3 (red, green, blue). */
    public static BufferedImage image(byte[] pixels, int height, int width, int channels) {
        var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int at = (y * width + x) * channels;
                image.setRGB(x, y, rgb(pixels[at], pixels[at + channels / 2], pixels[at + channels - 1]));
            }
        }
        return image;
    }

    private static int rgb(byte red, byte green, byte blue) {
        return (red & 255) << 16 | (green & 255) << 8 | blue & 255;
    }
}
