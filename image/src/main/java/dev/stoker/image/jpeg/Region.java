package dev.stoker.image.jpeg;

import dev.stoker.image.ImageException;
import dev.stoker.image.jpeg.Component.Upsampling;
import dev.stoker.image.kernel.Kernels;

/** The MCUs that a wanted box of pixels needs, and the planes that hold their samples. */
final class Region {
    /** MCUs decoded at a time; planes are this much wider, because whole batches are transformed. */
    static final int BATCH = 8;

    int mcuX0;
    int mcuX1;
    int mcuY0;
    int mcuY1;

    /**
     * @param blockSize pixels per block side: 8 for the full size, 4, 2 or 1 for a half, a quarter, an eighth
     * @param align the first MCU's column is a multiple of this
     */
    void set(JpegHeader header, int blockSize, int x0, int y0, int x1, int y1, int align) {
        boolean neighboursX = false;
        boolean neighboursY = false;
        for (int i = 0; i < header.componentCount; i++) {
            Component c = header.components[i];
            scale(header, c, blockSize);
            neighboursX |= c.upsampling == Upsampling.TRIANGLE_H2 || c.upsampling == Upsampling.TRIANGLE_H2V2;
            neighboursY |= c.upsampling == Upsampling.TRIANGLE_V2 || c.upsampling == Upsampling.TRIANGLE_H2V2;
        }
        // A triangle filter looks at one sample on either side; one more pixel reaches it.
        int mcuWidth = header.maxH * blockSize;
        int mcuHeight = header.maxV * blockSize;
        mcuX0 = Math.max(0, x0 - (neighboursX ? 1 : 0)) / mcuWidth / align * align;
        mcuY0 = Math.max(0, y0 - (neighboursY ? 1 : 0)) / mcuHeight;
        mcuX1 = Math.min(header.mcusAcross(), (x1 - 1 + (neighboursX ? 1 : 0)) / mcuWidth + 1);
        mcuY1 = Math.min(header.mcusDown(), (y1 - 1 + (neighboursY ? 1 : 0)) / mcuHeight + 1);
        for (int i = 0; i < header.componentCount; i++) {
            allocate(header.components[i]);
        }
    }

    /** libjpeg decodes subsampled components at a larger scale where it can, rather than shrinking and stretching them. */
    private static void scale(JpegHeader header, Component c, int blockSize) {
        int size = blockSize;
        while (size < 8
                && header.maxH * blockSize % (c.h * size * 2) == 0
                && header.maxV * blockSize % (c.v * size * 2) == 0) {
            size *= 2;
        }
        c.blockSize = size;
        c.width = JpegHeader.ceil(header.width * c.h * size, header.maxH * 8);
        c.height = JpegHeader.ceil(header.height * c.v * size, header.maxV * 8);
        c.stretchX = header.maxH * blockSize / (c.h * size);
        c.stretchY = header.maxV * blockSize / (c.v * size);
        c.upsampling = upsampling(c, blockSize > 1);
    }

    private static Upsampling upsampling(Component c, boolean triangle) {
        if (c.stretchX == 1 && c.stretchY == 1) {
            return Upsampling.NONE;
        }
        if (triangle && c.stretchX == 1 && c.stretchY == 2) {
            return Upsampling.TRIANGLE_V2;
        }
        if (triangle && c.stretchX == 2 && c.stretchY <= 2 && c.width > 2) {
            return c.stretchY == 1 ? Upsampling.TRIANGLE_H2 : Upsampling.TRIANGLE_H2V2;
        }
        return Upsampling.REPEAT;
    }

    private void allocate(Component c) {
        int batches = JpegHeader.ceil(mcuX1 - mcuX0, BATCH);
        c.originX = mcuX0 * c.h * c.blockSize;
        c.originY = mcuY0 * c.v * c.blockSize;
        c.stride = Math.max(batches * BATCH, (mcuX1 - mcuX0 + 15) / 16 * 16) * c.h * c.blockSize + 64;
        long needed = (long) c.stride * ((mcuY1 - mcuY0) * c.v * c.blockSize + 2) + 2 * Kernels.SLACK;
        if (needed > Integer.MAX_VALUE - 64) {
            throw new ImageException(
                    0, "a region of " + needed + " samples is too large to decode at once; take a smaller one");
        }
        if (c.plane.length < needed) {
            c.plane = new byte[(int) Math.min(Integer.MAX_VALUE - 64, needed + needed / 4)];
        }
    }
}
