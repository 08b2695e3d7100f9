package dev.stoker.image.webp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.stoker.image.ImageException;
import dev.stoker.image.PixelLimit;
import dev.stoker.image.transform.Picture;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Decodes WebP pictures, lossy and lossless, as libwebp does; alpha is dropped. Of an animation, the first picture. */
public final class WebpDecoder {
    private final long maxPixels;

    public WebpDecoder(long maxPixels) {
        this.maxPixels = maxPixels;
    }

    /** Whether bytes begin as a WebP file does. */
    public static boolean isWebp(MemorySegment encoded) {
        return WebpFrame.isWebp(encoded);
    }

    /** Decodes a picture; {@link ImageException} if that cannot be done. */
    public void decode(MemorySegment encoded, Picture out) {
        WebpLibrary library = WebpLibrary.get();
        try (var arena = Arena.ofConfined()) {
            // Copied: a page of a mapped file that cannot be read would end the JVM in the library.
            MemorySegment file = arena.allocate(encoded.byteSize()).copyFrom(encoded);
            WebpFeatures whole = features(library, file);
            PixelLimit.require(whole.width(), whole.height(), file.byteSize(), maxPixels);
            out.resize(whole.width(), whole.height());
            if (whole.isAnimated()) {
                decodeFirst(library, file, arena, out);
            } else {
                put(rgb(library, file, whole, arena), whole.width(), out, 0, 0);
            }
        }
    }

    /** What the first picture of an animation does not cover is black. */
    private static void decodeFirst(WebpLibrary library, MemorySegment file, Arena arena, Picture out) {
        WebpFrame frame = WebpFrame.first(file);
        WebpFeatures size = features(library, frame.picture());
        if (size.isAnimated() || size.width() > out.width() - frame.x() || size.height() > out.height() - frame.y()) {
            throw new ImageException(
                    0,
                    "the first picture of the animation, " + size.width() + " x " + size.height() + " at " + frame.x()
                            + ", " + frame.y() + ", does not lie on its canvas of " + out.width() + " x "
                            + out.height() + "; the file is damaged");
        }
        out.fillBlack();
        put(rgb(library, frame.picture(), size, arena), size.width(), out, frame.x(), frame.y());
    }

    private static WebpFeatures features(WebpLibrary library, MemorySegment encoded) {
        Optional<WebpFeatures> found = library.features(encoded);
        return found.orElseThrow(() -> undecodable(encoded));
    }

    private static MemorySegment rgb(WebpLibrary library, MemorySegment encoded, WebpFeatures size, Arena arena) {
        MemorySegment rgb = arena.allocate(3L * size.width() * size.height());
        if (!library.decode(encoded, rgb, size.width())) {
            throw undecodable(encoded);
        }
        return rgb;
    }

    private static ImageException undecodable(MemorySegment encoded) {
        return new ImageException(
                0,
                "libwebp cannot decode the WebP picture of " + encoded.byteSize()
                        + " bytes; it is truncated or damaged");
    }

    private static void put(MemorySegment rgb, int width, Picture out, int x, int y) {
        byte[] red = out.plane(0), green = out.plane(1), blue = out.plane(2);
        for (long from = 0; from < rgb.byteSize(); from += 3L * width) {
            int to = (y + Math.toIntExact(from / (3L * width))) * out.width() + x;
            for (int i = 0; i < width; i++) {
                red[to + i] = rgb.get(JAVA_BYTE, from + 3L * i);
                green[to + i] = rgb.get(JAVA_BYTE, from + 3L * i + 1);
                blue[to + i] = rgb.get(JAVA_BYTE, from + 3L * i + 2);
            }
        }
    }
}
