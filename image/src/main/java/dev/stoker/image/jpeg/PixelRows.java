package dev.stoker.image.jpeg;

import dev.stoker.image.jpeg.Component.Upsampling;
import dev.stoker.image.kernel.Kernels;

/** Makes rows of red, green and blue, or of grey, from the planes: upsampling and colour conversion as in libjpeg-turbo. */
final class PixelRows {
    private final Kernels kernels;
    private final JpegHeader header;
    private final short[][] sums = new short[4][0];
    private final byte[][] stretched = new byte[4][0];
    /** The latest row of each component: an array and where it begins. */
    private final byte[][] row = new byte[4][];

    private final int[] rowAt = new int[4];

    private final byte[] firstRed = new byte[2];
    private final byte[] firstGreen = new byte[2];
    private final byte[] firstBlue = new byte[2];

    PixelRows(JpegHeader header, Kernels kernels) {
        this.header = header;
        this.kernels = kernels;
    }

    private void reserve(int width) {
        if (sums[0].length < width + 2 * Kernels.SLACK) {
            for (int i = 0; i < 4; i++) {
                sums[i] = new short[width + 2 * Kernels.SLACK];
                stretched[i] = new byte[width + 4 * Kernels.SLACK];
            }
        }
    }

    /** Pixels [x0, x1) of row y, each channel from its array's first element on. */
    void rgb(int y, int x0, int x1, byte[] red, byte[] green, byte[] blue) {
        if (header.colour == JpegHeader.Colour.YCBCR && isHalfChroma()) {
            halfChroma(y, x0, x1, red, green, blue);
            return;
        }
        for (int i = 0; i < header.componentCount; i++) {
            component(i, y, x0, x1);
        }
        int n = x1 - x0;
        switch (header.colour) {
            case GREY -> {
                System.arraycopy(row[0], rowAt[0], red, 0, n);
                System.arraycopy(row[0], rowAt[0], green, 0, n);
                System.arraycopy(row[0], rowAt[0], blue, 0, n);
            }
            case RGB -> {
                System.arraycopy(row[0], rowAt[0], red, 0, n);
                System.arraycopy(row[1], rowAt[1], green, 0, n);
                System.arraycopy(row[2], rowAt[2], blue, 0, n);
            }
            case YCBCR -> kernels.yccToRgb(row[0], rowAt[0], row[1], rowAt[1], row[2], rowAt[2], n, red, green, blue);
            case YCCK -> {
                kernels.yccToRgb(row[0], rowAt[0], row[1], rowAt[1], row[2], rowAt[2], n, red, green, blue);
                for (int i = 0; i < n; i++) {
                    red[i] ^= -1;
                    green[i] ^= -1;
                    blue[i] ^= -1;
                }
                withoutBlack(red, 0, green, 0, blue, 0, n, red, green, blue);
            }
            case CMYK -> withoutBlack(row[0], rowAt[0], row[1], rowAt[1], row[2], rowAt[2], n, red, green, blue);
        }
    }

    /** By far the most frequent: 4:2:0 or 4:2:2. */
    private boolean isHalfChroma() {
        Component cb = header.components[1];
        boolean doubled = cb.upsampling == Upsampling.TRIANGLE_H2 || cb.upsampling == Upsampling.TRIANGLE_H2V2;
        return doubled
                && header.components[0].upsampling == Upsampling.NONE
                && header.components[2].upsampling == cb.upsampling;
    }

    private void halfChroma(int y, int x0, int x1, byte[] red, byte[] green, byte[] blue) {
        reserve(x1 - x0);
        Component luma = header.components[0];
        int yAt = (y - luma.originY) * luma.stride + x0 - luma.originX;
        boolean both = header.components[1].upsampling == Upsampling.TRIANGLE_H2V2;
        int evenBias = both ? 8 : 1, oddBias = both ? 7 : 2, shift = both ? 4 : 2;
        sumRow(header.components[1], y, x0, x1, sums[1]);
        sumRow(header.components[2], y, x0, x1, sums[2]);
        // The kernel begins at an even pixel; an odd x0 is the second of a pair of its own.
        int lead = x0 & 1;
        if (lead != 0) {
            Kernels.scalar()
                    .doubledYccToRgb(
                            luma.plane,
                            yAt - 1,
                            sums[1],
                            sums[2],
                            0,
                            1,
                            evenBias,
                            oddBias,
                            shift,
                            firstRed,
                            firstGreen,
                            firstBlue,
                            0);
            red[0] = firstRed[1];
            green[0] = firstGreen[1];
            blue[0] = firstBlue[1];
        }
        int pairs = x1 - x0 - lead + 1 >> 1;
        kernels.doubledYccToRgb(
                luma.plane,
                yAt + lead,
                sums[1],
                sums[2],
                lead,
                pairs,
                evenBias,
                oddBias,
                shift,
                red,
                green,
                blue,
                lead);
    }

    /** Stored inverted, as Adobe does and Pillow assumes; the product is rounded as Pillow's conversion rounds. */
    private void withoutBlack(
            byte[] c, int cAt, byte[] m, int mAt, byte[] y, int yAt, int n, byte[] red, byte[] green, byte[] blue) {
        for (int i = 0; i < n; i++) {
            int white = row[3][rowAt[3] + i] & 255;
            red[i] = ink(~c[cAt + i] & 255, white);
            green[i] = ink(~m[mAt + i] & 255, white);
            blue[i] = ink(~y[yAt + i] & 255, white);
        }
    }

    private static byte ink(int amount, int white) {
        int product = amount * white + 128;
        return (byte) Math.max(0, white - ((product >> 8) + product >> 8));
    }

    /** Grey: the luma if there is one, else computed from the colours with the same weights. */
    void grey(int y, int x0, int x1, byte[] out, byte[] scratch1, byte[] scratch2) {
        if (header.colour == JpegHeader.Colour.GREY || header.colour == JpegHeader.Colour.YCBCR) {
            component(0, y, x0, x1);
            System.arraycopy(row[0], rowAt[0], out, 0, x1 - x0);
            return;
        }
        rgb(y, x0, x1, out, scratch1, scratch2);
        for (int i = 0; i < x1 - x0; i++) {
            out[i] = (byte)
                    ((out[i] & 255) * 19595 + (scratch1[i] & 255) * 38470 + (scratch2[i] & 255) * 7471 + 32768 >> 16);
        }
    }

    private void component(int i, int y, int x0, int x1) {
        Component c = header.components[i];
        if (c.upsampling == Upsampling.NONE) {
            row[i] = c.plane;
            rowAt[i] = (y - c.originY) * c.stride + x0 - c.originX;
            return;
        }
        reserve(x1 - x0);
        row[i] = stretched[i];
        rowAt[i] = 0;
        switch (c.upsampling) {
            case TRIANGLE_V2 -> {
                int near = place(c, y >> 1);
                int far = place(c, neighbour(c, y));
                int x = x0 - c.originX;
                kernels.blendRow(c.plane, near + x, far + x, x1 - x0, 1 + (y & 1), stretched[i]);
            }
            case REPEAT -> repeat(c, y, x0, x1, stretched[i]);
            default -> {
                boolean both = c.upsampling == Upsampling.TRIANGLE_H2V2;
                int count = sumRow(c, y, x0, x1, sums[i]);
                kernels.doubleRow(sums[i], count, stretched[i], both ? 8 : 1, both ? 7 : 2, both ? 4 : 2);
                rowAt[i] = x0 & 1;
            }
        }
    }

    private static int place(Component c, int sampleY) {
        return (sampleY - c.originY) * c.stride;
    }

    /** The sample row above an even pixel row, below an odd one; at the picture's edge the row itself. */
    private static int neighbour(Component c, int y) {
        return (y & 1) == 0 ? Math.max((y >> 1) - 1, 0) : Math.min((y >> 1) + 1, c.height - 1);
    }

    /** The samples for pixels [x0, x1), blended with their vertical neighbours if those count, and one more on either side. */
    private int sumRow(Component c, int y, int x0, int x1, short[] sums) {
        int first = x0 >> 1;
        int last = x1 - 1 >> 1;
        // An odd x0 does not need the neighbour on the left, which may then be outside the region.
        int from = Math.max(first - 1, c.originX);
        int to = Math.min(last + 1, c.width - 1);
        // sums[0] is the left neighbour of the first sample; at the edges a sample is its own neighbour.
        int at = from - (first - 1);
        int n = to - from + 1;
        int x = from - c.originX;
        if (c.upsampling == Upsampling.TRIANGLE_H2V2) {
            kernels.blendRows(c.plane, place(c, y >> 1) + x, place(c, neighbour(c, y)) + x, n, sums, at);
        } else {
            kernels.widenRow(c.plane, place(c, y) + x, n, sums, at);
        }
        if (at == 1) {
            sums[0] = sums[1];
        }
        if (to == last) {
            sums[last - first + 2] = sums[last - first + 1];
        }
        return last - first + 1;
    }

    private static void repeat(Component c, int y, int x0, int x1, byte[] out) {
        int at = place(c, y / c.stretchY) - c.originX;
        for (int x = x0; x < x1; x++) {
            out[x - x0] = c.plane[at + x / c.stretchX];
        }
    }
}
