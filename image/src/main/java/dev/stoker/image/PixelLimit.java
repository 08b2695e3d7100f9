package dev.stoker.image;

/** How many pixels a picture may claim before there is memory for them: a small file may say anything. */
public final class PixelLimit {
    /** As many any picture may have, however small its file: a blank page of WebP has a hundred bytes. */
    private static final long FREE_PIXELS = 16 << 20;

    /** Beyond that a byte stands for at most so many: deflated, in PNG, 1032 bytes of eight pixels each. */
    private static final long PIXELS_PER_BYTE = 8 * 1032;

    private PixelLimit() {}

    /** Refuses a picture with more pixels than the limit, or than its bytes may stand for. */
    public static void require(int width, int height, long bytes, long maxPixels) {
        long pixels = (long) width * height;
        if (pixels > maxPixels) {
            throw new ImageException(
                    0,
                    "the picture has " + width + " x " + height + " = " + pixels + " pixels; the limit is " + maxPixels
                            + " and can be raised");
        }
        if (pixels > Math.max(FREE_PIXELS, bytes * PIXELS_PER_BYTE)) {
            throw new ImageException(
                    0,
                    "the picture says that it has " + width + " x " + height + " = " + pixels + " pixels, but has only "
                            + bytes + " bytes");
        }
    }
}
