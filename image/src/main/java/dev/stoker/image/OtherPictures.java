package dev.stoker.image;

import dev.stoker.image.transform.Picture;
import dev.stoker.image.webp.WebpDecoder;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Iterator;
import java.util.Locale;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;

/**
 * Pictures other than JPEG: WebP through libwebp; PNG, BMP, GIF (first frame) and TIFF (first page) through ImageIO. They
 * become RGB as Pillow's {@code convert("RGB")} does it: alpha is dropped, of 16 bits a color the upper 8 are kept. Of
 * 16-bit grey in PNG too, which Pillow turns almost white. For one thread.
 */
public final class OtherPictures {
    private final long maxPixels;
    private final WebpDecoder webp;
    private final TiffPicture tiff = new TiffPicture();

    public OtherPictures(long maxPixels) {
        this.maxPixels = maxPixels;
        this.webp = new WebpDecoder(maxPixels);
    }

    /** Decodes a picture; {@link ImageException} if that cannot be done. */
    public void decode(MemorySegment encoded, Picture out) {
        if (WebpDecoder.isWebp(encoded)) {
            webp.decode(encoded, out);
        } else {
            decodeByImageIo(encoded, out);
        }
    }

    private void decodeByImageIo(MemorySegment encoded, Picture out) {
        byte[] bytes = encoded.toArray(ValueLayout.JAVA_BYTE);
        try (ImageInputStream in = new PictureInput(bytes)) {
            Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
            if (!readers.hasNext()) {
                throw new ImageException(
                        0,
                        "not a picture of a known format: it begins with " + beginning(bytes)
                                + "; JPEG, PNG, BMP, GIF, TIFF and WebP are known");
            }
            ImageReader reader = readers.next();
            try {
                reader.setInput(in);
                PixelLimit.require(reader.getWidth(0), reader.getHeight(0), bytes.length, maxPixels);
                read(reader, bytes, out);
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

    private void read(ImageReader reader, byte[] bytes, Picture out) throws IOException {
        switch (reader.getFormatName().toLowerCase(Locale.ROOT)) {
            case "gif" -> GifPicture.read(reader, bytes, maxPixels, out);
            case "tif", "tiff" -> tiff.read(reader, out);
            default -> RasterPixels.copy(reader.read(0), out);
        }
    }

    private static String beginning(byte[] bytes) {
        StringBuilder hex = new StringBuilder();
        for (int i = 0; i < Math.min(8, bytes.length); i++) {
            hex.append(String.format("%02X ", bytes[i]));
        }
        return hex.isEmpty() ? "nothing, it is empty" : hex.toString().trim();
    }
}
