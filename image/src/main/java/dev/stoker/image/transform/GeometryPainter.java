package dev.stoker.image.transform;

import dev.stoker.image.PictureSource;
import dev.stoker.image.kernel.Kernels;
import dev.stoker.image.kernel.ResizeTaps;

/** Draws a {@link PendingGeometry}: has only those rows and columns of the source decoded that are seen. One per thread. */
final class GeometryPainter {
    private final Kernels kernels;
    private final ResizeTaps across = new ResizeTaps();
    private final ResizeTaps down = new ResizeTaps();
    private final byte[][] row = new byte[3][0];
    private int[] packed = new int[0];
    /** What the first pass made, or the source's rows, a channel after the other. */
    private byte[] between = new byte[0];

    private byte[] resizedRow = new byte[0];

    GeometryPainter(Kernels kernels) {
        this.kernels = kernels;
    }

    void run(PictureSource source, PendingGeometry g, Picture out) {
        out.resize(g.width, g.height);
        int x0 = Math.max(0, g.windowX);
        int y0 = Math.max(0, g.windowY);
        int x1 = Math.min(g.resizedWidth, g.windowX + g.width);
        int y1 = Math.min(g.resizedHeight, g.windowY + g.height);
        if (x1 - x0 < g.width || y1 - y0 < g.height) {
            out.fillBlack();
        }
        if (x0 >= x1 || y0 >= y1) {
            return;
        }
        int left = g.mirrored ? g.windowX + g.width - x1 : x0 - g.windowX;
        int top = y0 - g.windowY;
        if (g.resized && (g.resizedWidth != g.boxWidth || g.resizedHeight != g.boxHeight)) {
            resize(source, g, x0, y0, x1, y1, out, left, top);
        } else {
            copy(source, g, x0, y0, x1, y1, out, left, top);
        }
    }

    private void reserve(int width) {
        if (row[0].length < width + 2 * Kernels.SLACK) {
            for (int c = 0; c < 3; c++) {
                row[c] = new byte[width + 2 * Kernels.SLACK];
            }
        }
    }

    private void copy(
            PictureSource source, PendingGeometry g, int x0, int y0, int x1, int y1, Picture out, int left, int top) {
        int width = x1 - x0;
        reserve(width);
        source.prepare(g.boxX + x0, g.boxY + y0, width, y1 - y0);
        for (int y = 0; y < y1 - y0; y++) {
            source.row(y, row[0], row[1], row[2]);
            int at = (top + y) * out.width() + left;
            for (int c = 0; c < 3; c++) {
                if (g.mirrored) {
                    reverse(row[c], width);
                }
                System.arraycopy(row[c], 0, out.plane(c), at, width);
            }
        }
    }

    private static void reverse(byte[] row, int width) {
        for (int i = 0, j = width - 1; i < j; i++, j--) {
            byte b = row[i];
            row[i] = row[j];
            row[j] = b;
        }
    }

    private void resize(
            PictureSource source, PendingGeometry g, int x0, int y0, int x1, int y1, Picture out, int left, int top) {
        int width = x1 - x0;
        int height = y1 - y0;
        across.set(g.filter, g.boxWidth, g.resizedWidth, x0, width, g.mirrored);
        down.set(g.filter, g.boxHeight, g.resizedHeight, y0, height, false);
        int sourceX = across.rebase();
        int sourceY = down.rebase();
        int sourceWidth = across.span();
        int sourceHeight = down.span();
        source.prepare(g.boxX + sourceX, g.boxY + sourceY, sourceWidth, sourceHeight);
        reserve(Math.max(sourceWidth, width));
        int packedLength = sourceWidth + across.maxTaps() + Kernels.SLACK;
        if (packed.length < packedLength) {
            packed = new int[packedLength];
        }

        // A row is written in whole vectors, hence the strides.
        boolean verticalFirst = isVerticalFirst(g);
        int stride = ((verticalFirst ? sourceWidth : width) + 31) / 32 * 32;
        int channel = Math.multiplyExact(stride, sourceHeight);
        int needed = Math.addExact(Math.multiplyExact(3, channel), Kernels.SLACK);
        if (between.length < needed) {
            between = new byte[needed];
        }
        if (verticalFirst) {
            verticalFirst(source, sourceWidth, sourceHeight, stride, channel, height, out, left, top);
        } else {
            horizontalFirst(source, sourceHeight, stride, channel, width, height, out, left, top);
        }
    }

    /** Pillow's rule (from version 13 on; before, always horizontal first). It shows in the pixels: they are rounded in between. */
    private static boolean isVerticalFirst(PendingGeometry g) {
        int fewerRows = g.boxHeight - g.resizedHeight;
        int fewerColumns = g.boxWidth - g.resizedWidth;
        return fewerRows > 0 && fewerRows > 2 * fewerColumns;
    }

    private void horizontalFirst(
            PictureSource source,
            int sourceHeight,
            int stride,
            int channel,
            int width,
            int height,
            Picture out,
            int left,
            int top) {
        for (int y = 0; y < sourceHeight; y++) {
            source.row(y, row[0], row[1], row[2]);
            kernels.resizeRow(across, row[0], row[1], row[2], packed, between, y * stride, channel);
        }
        for (int c = 0; c < 3; c++) {
            for (int y = 0; y < height; y++) {
                int from = c * channel + down.first(y) * stride;
                kernels.resizeColumns(
                        between, from, stride, down.weights(), down.weightsAt(y), down.count(y), width, row[0]);
                System.arraycopy(row[0], 0, out.plane(c), (top + y) * out.width() + left, width);
            }
        }
    }

    private void verticalFirst(
            PictureSource source,
            int sourceWidth,
            int sourceHeight,
            int stride,
            int channel,
            int height,
            Picture out,
            int left,
            int top) {
        for (int y = 0; y < sourceHeight; y++) {
            source.row(y, row[0], row[1], row[2]);
            for (int c = 0; c < 3; c++) {
                System.arraycopy(row[c], 0, between, c * channel + y * stride, sourceWidth);
            }
        }
        int width = across.outCount();
        int padded = (width + 31) / 32 * 32;
        if (resizedRow.length < 3 * padded + Kernels.SLACK) {
            resizedRow = new byte[3 * padded + Kernels.SLACK];
        }
        for (int y = 0; y < height; y++) {
            for (int c = 0; c < 3; c++) {
                int from = c * channel + down.first(y) * stride;
                kernels.resizeColumns(
                        between, from, stride, down.weights(), down.weightsAt(y), down.count(y), sourceWidth, row[c]);
            }
            kernels.resizeRow(across, row[0], row[1], row[2], packed, resizedRow, 0, padded);
            for (int c = 0; c < 3; c++) {
                System.arraycopy(resizedRow, c * padded, out.plane(c), (top + y) * out.width() + left, width);
            }
        }
    }
}
