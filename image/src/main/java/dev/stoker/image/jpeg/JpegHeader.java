package dev.stoker.image.jpeg;

/** What the header of a picture says. It belongs to its decoder and is valid until the next picture is read. */
public final class JpegHeader {
    /** How the stored components are to be understood. */
    public enum Colour {
        GREY,
        YCBCR,
        RGB,
        CMYK,
        YCCK
    }

    int width;
    int height;
    boolean progressive;
    int restartInterval;
    int orientation;
    Colour colour = Colour.GREY;

    int componentCount;
    final Component[] components = {new Component(), new Component(), new Component(), new Component()};
    int maxH;
    int maxV;

    JpegHeader() {}

    void clear() {
        width = 0;
        height = 0;
        progressive = false;
        restartInterval = 0;
        orientation = 1;
        componentCount = 0;
        for (Component c : components) {
            c.quantised = false;
            c.dcTable = HuffmanTable.NONE;
            c.acTable = HuffmanTable.NONE;
        }
    }

    /** MCUs across, at any scale. */
    int mcusAcross() {
        return ceil(width, 8 * maxH);
    }

    int mcusDown() {
        return ceil(height, 8 * maxV);
    }

    static int ceil(int a, int b) {
        return (a + b - 1) / b;
    }

    public int width() {
        return width;
    }

    public int height() {
        return height;
    }

    public boolean progressive() {
        return progressive;
    }

    public int components() {
        return componentCount;
    }

    public Colour colour() {
        return colour;
    }

    /** MCUs between restart markers, 0 if there are none. */
    public int restartInterval() {
        return restartInterval;
    }

    /** The EXIF orientation, 1 to 8; 1 if there is none. */
    public int orientation() {
        return orientation;
    }
}
