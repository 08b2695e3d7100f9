package dev.stoker.image.transform;

/** Turns a picture as its EXIF orientation says. */
public final class Orientation {
    private Orientation() {}

    /** @param orientation 2 to 8 */
    public static void apply(int orientation, Picture from, Picture to) {
        int w = from.width();
        int h = from.height();
        boolean swapped = orientation >= 5;
        to.resize(swapped ? h : w, swapped ? w : h);
        boolean flipX = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
        boolean flipY = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
        for (int c = 0; c < 3; c++) {
            byte[] in = from.plane(c);
            byte[] out = to.plane(c);
            for (int y = 0; y < to.height(); y++) {
                for (int x = 0; x < to.width(); x++) {
                    int u = swapped ? y : x;
                    int v = swapped ? x : y;
                    int sx = flipX ? w - 1 - u : u;
                    int sy = flipY ? h - 1 - v : v;
                    out[y * to.width() + x] = in[sy * w + sx];
                }
            }
        }
    }
}
