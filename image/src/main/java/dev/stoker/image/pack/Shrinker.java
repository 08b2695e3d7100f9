package dev.stoker.image.pack;

import dev.stoker.image.ImageException;
import dev.stoker.image.JpegSource;
import dev.stoker.image.OtherPictures;
import dev.stoker.image.jpeg.JpegDecoder;
import dev.stoker.image.jpeg.JpegHeader;
import dev.stoker.image.jpeg.JpegOptions;
import dev.stoker.image.kernel.Kernels;
import dev.stoker.image.transform.Picture;
import dev.stoker.image.transform.Resizer;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes pictures smaller that are larger than a limit: JPEGs become JPEGs, all others PNGs, of 8 bits a channel. They are turned as
 * their EXIF orientation says, since no EXIF is written. For one thread.
 */
final class Shrinker {
    private final SizeLimit limit;
    private final JpegDecoder jpeg = new JpegDecoder();
    private final JpegSource jpegSource = new JpegSource(jpeg);
    private final OtherPictures others = new OtherPictures(JpegOptions.DEFAULT.maxPixels());
    private final Picture other = new Picture();
    private final Resizer resizer = new Resizer(Kernels.best());

    Shrinker(SizeLimit limit) {
        this.limit = limit;
        ImageIO.setUseCache(false);
    }

    /** The smaller picture; null if it is small enough. */
    byte @Nullable [] apply(MemorySegment encoded) {
        if (!JpegDecoder.isJpeg(encoded)) {
            others.decode(encoded, other);
            int width = other.width();
            int height = other.height();
            return limit.holds(width, height)
                    ? null
                    : encode(
                            rgb(resizer.resize(
                                    other, 1, limit.scaled(width, width, height), limit.scaled(height, width, height))),
                            false);
        }
        JpegHeader header = jpeg.read(encoded);
        if (limit.holds(header.width(), header.height())) {
            return null;
        }
        jpegSource.begin(header.width(), header.height());
        boolean swapped = header.orientation() >= 5;
        int width = swapped ? header.height() : header.width();
        int height = swapped ? header.width() : header.height();
        Picture small = resizer.resize(
                jpegSource,
                header.orientation(),
                limit.scaled(width, width, height),
                limit.scaled(height, width, height));
        return encode(header.components() == 1 ? grey(small) : rgb(small), true);
    }

    private static BufferedImage rgb(Picture picture) {
        var image = new BufferedImage(picture.width(), picture.height(), BufferedImage.TYPE_INT_RGB);
        var row = new int[picture.width()];
        for (int y = 0; y < picture.height(); y++) {
            for (int x = 0; x < row.length; x++) {
                int at = y * row.length + x;
                row[x] = (picture.plane(0)[at] & 255) << 16
                        | (picture.plane(1)[at] & 255) << 8
                        | picture.plane(2)[at] & 255;
            }
            image.getRaster().setDataElements(0, y, row.length, 1, row);
        }
        return image;
    }

    /** All channels of a grey picture are the same. */
    private static BufferedImage grey(Picture picture) {
        var image = new BufferedImage(picture.width(), picture.height(), BufferedImage.TYPE_BYTE_GRAY);
        image.getRaster().setDataElements(0, 0, picture.width(), picture.height(), picture.plane(0));
        return image;
    }

    private byte[] encode(BufferedImage image, boolean asJpeg) {
        ImageWriter writer =
                ImageIO.getImageWritersByFormatName(asJpeg ? "jpeg" : "png").next();
        var bytes = new ByteArrayOutputStream();
        try (var out = new MemoryCacheImageOutputStream(bytes)) {
            ImageWriteParam how = writer.getDefaultWriteParam();
            if (asJpeg) {
                how.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
                how.setCompressionQuality(limit.quality() / 100f);
            }
            writer.setOutput(out);
            writer.write(null, new IIOImage(image, null, null), how);
        } catch (IOException e) {
            throw new ImageException(0, "the smaller picture cannot be encoded: " + e.getMessage(), e);
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }
}
