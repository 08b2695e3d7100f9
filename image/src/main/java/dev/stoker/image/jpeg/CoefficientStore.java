package dev.stoker.image.jpeg;

import dev.stoker.image.ImageException;
import dev.stoker.image.kernel.Kernels;
import java.util.Arrays;

/**
 * All coefficients of a picture that comes in several scans. 16 neighbours of a row form a group, one block per lane, as the
 * transform wants them: coefficient k of block x lies at {@code group * 1024 + k * 16 + x % 16}.
 */
final class CoefficientStore {
    private static final int GROUP = 64 * Kernels.LANES;

    private final short[][] coefficients = new short[4][0];
    private final int[] groupsAcross = new int[4];
    private final int[] block = new int[GROUP];
    private final int[] quantisers = new int[GROUP];

    void clear(JpegHeader header) {
        for (int i = 0; i < header.componentCount; i++) {
            Component c = header.components[i];
            groupsAcross[i] = JpegHeader.ceil(header.mcusAcross() * c.h, Kernels.LANES);
            long needed = (long) groupsAcross[i] * header.mcusDown() * c.v * GROUP;
            if (needed > Integer.MAX_VALUE - 64) {
                throw new ImageException(
                        0,
                        "a picture of several scans with " + header.width + " x " + header.height
                                + " pixels is too large");
            }
            if (coefficients[i].length < needed) {
                coefficients[i] = new short[(int) needed];
            } else {
                Arrays.fill(coefficients[i], 0, (int) needed, (short) 0);
            }
        }
    }

    short[] of(int component) {
        return coefficients[component];
    }

    /** Where coefficient 0 of a block is. */
    int place(int component, int x, int y) {
        return (y * groupsAcross[component] + (x >> 4)) * GROUP + (x & 15);
    }

    /** Transforms the region's blocks; its first MCU's column must be a multiple of 16. */
    void transform(JpegHeader header, Region region, BlockTransform transform) {
        for (int i = 0; i < header.componentCount; i++) {
            Component c = header.components[i];
            BlockTransform.spread(c.quantisers, quantisers, 0);
            BlockTransform.spread(c.quantisers, quantisers, 8);
            int x0 = region.mcuX0 * c.h;
            int x1 = region.mcuX1 * c.h;
            for (int y = region.mcuY0 * c.v; y < region.mcuY1 * c.v; y++) {
                for (int x = x0; x < x1; x += Kernels.LANES) {
                    widen(coefficients[i], place(i, x, y));
                    int at = (y * c.blockSize - c.originY) * c.stride + (x - x0) * c.blockSize;
                    transform.apply(block, quantisers, c, at, c, at + 8 * c.blockSize);
                }
            }
        }
    }

    private void widen(short[] from, int at) {
        for (int i = 0; i < GROUP; i++) {
            block[i] = from[at + i];
        }
    }
}
