package dev.stoker.image.transform;

import dev.stoker.image.PictureSource;
import dev.stoker.image.kernel.Kernels;
import java.util.Arrays;

/** A decoded picture in memory: a plane each of red, green and blue. Reused; grows when it must. */
public final class Picture implements PictureSource {
    private int width;
    private int height;
    private final byte[][] planes = new byte[3][0];
    private int boxX;
    private int boxY;
    private int boxWidth;

    /** Sets the size; what the planes hold is then undefined. */
    public void resize(int width, int height) {
        this.width = width;
        this.height = height;
        int needed = Math.addExact(Math.multiplyExact(width, height), Kernels.SLACK);
        if (planes[0].length < needed) {
            for (int c = 0; c < 3; c++) {
                planes[c] = new byte[needed];
            }
        }
    }

    public void fillBlack() {
        for (byte[] plane : planes) {
            Arrays.fill(plane, 0, width * height, (byte) 0);
        }
    }

    @Override
    public int width() {
        return width;
    }

    @Override
    public int height() {
        return height;
    }

    /** Pixel (x, y) of channel c is at {@code y * width + x}. */
    public byte[] plane(int c) {
        return planes[c];
    }

    @Override
    public void prepare(int x, int y, int width, int height) {
        boxX = x;
        boxY = y;
        boxWidth = width;
    }

    @Override
    public void row(int y, byte[] red, byte[] green, byte[] blue) {
        int at = (boxY + y) * width + boxX;
        System.arraycopy(planes[0], at, red, 0, boxWidth);
        System.arraycopy(planes[1], at, green, 0, boxWidth);
        System.arraycopy(planes[2], at, blue, 0, boxWidth);
    }
}
