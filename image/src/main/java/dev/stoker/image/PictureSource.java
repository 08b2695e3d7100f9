package dev.stoker.image;

/** A picture that can give the rows of a box of its pixels. */
public interface PictureSource {
    int width();

    int height();

    /** Makes the rows of a box, which lies inside the picture, ready. */
    void prepare(int x, int y, int width, int height);

    /** Row y of the prepared box. The arrays have {@link dev.stoker.image.kernel.Kernels#SLACK} bytes to spare. */
    void row(int y, byte[] red, byte[] green, byte[] blue);
}
