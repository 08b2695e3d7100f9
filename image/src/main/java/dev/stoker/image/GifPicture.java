package dev.stoker.image;

import dev.stoker.image.transform.Picture;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.IOException;
import javax.imageio.ImageReader;
import javax.imageio.metadata.IIOMetadataNode;

/**
 * The first picture of a GIF on its screen. Where the picture does not cover the screen, that has the transparent color, or
 * else the first of the palette, as Pillow has it; a screen that is smaller than the picture grows.
 */
final class GifPicture {
    private static final String METADATA = "javax_imageio_gif_image_1.0";
    /** Where the file has the screen's width, followed by its height. */
    private static final int SCREEN_AT = 6;

    private GifPicture() {}

    static void read(ImageReader reader, byte[] file, long maxPixels, Picture out) throws IOException {
        var place =
                (IIOMetadataNode) ((IIOMetadataNode) reader.getImageMetadata(0).getAsTree(METADATA))
                        .getElementsByTagName("ImageDescriptor")
                        .item(0);
        int left = Integer.parseInt(place.getAttribute("imageLeftPosition"));
        int top = Integer.parseInt(place.getAttribute("imageTopPosition"));
        int width = Math.max(u16(file, SCREEN_AT), left + reader.getWidth(0));
        int height = Math.max(u16(file, SCREEN_AT + 2), top + reader.getHeight(0));
        PixelLimit.require(width, height, file.length, maxPixels);
        BufferedImage image = reader.read(0);
        var palette = (IndexColorModel) image.getColorModel();
        out.resize(width, height);
        int background = Math.max(0, palette.getTransparentPixel());
        for (int i = 0; i < width * height; i++) {
            RasterPixels.set(
                    out, i, palette.getRed(background), palette.getGreen(background), palette.getBlue(background));
        }
        RasterPixels.copy(image.getRaster(), palette, out, left, top);
    }

    private static int u16(byte[] bytes, int at) {
        return bytes[at] & 255 | (bytes[at + 1] & 255) << 8;
    }
}
