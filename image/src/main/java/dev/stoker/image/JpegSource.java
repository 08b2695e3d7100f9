package dev.stoker.image;

import dev.stoker.image.jpeg.JpegDecoder;
import dev.stoker.image.transform.Shrinkable;

/** The picture that a decoder has read. For one thread. */
public final class JpegSource implements PictureSource, Shrinkable {
    private final JpegDecoder decoder;
    private int width;
    private int height;
    private int shrink;

    public JpegSource(JpegDecoder decoder) {
        this.decoder = decoder;
    }

    /** Begins with a picture of this size, which the decoder has read. */
    public void begin(int width, int height) {
        this.width = width;
        this.height = height;
        shrink = 1;
    }

    @Override
    public int width() {
        return width;
    }

    @Override
    public int height() {
        return height;
    }

    @Override
    public void shrink(int by) {
        shrink = by;
    }

    @Override
    public void prepare(int x, int y, int width, int height) {
        decoder.prepare(shrink, x, y, width, height);
    }

    @Override
    public void row(int y, byte[] red, byte[] green, byte[] blue) {
        decoder.row(y, red, green, blue);
    }
}
