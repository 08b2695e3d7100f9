package dev.stoker.image.pack;

/**
 * How large pictures may be.
 *
 * @param side pixels
 * @param shortSide true if the short side may have so many pixels, false if the long one
 * @param quality of JPEGs that are encoded anew, from 1 to 100
 */
public record SizeLimit(int side, boolean shortSide, int quality) {
    public SizeLimit {
        if (side < 1 || side > 65_500) {
            throw new IllegalArgumentException("a picture's side has 1 to 65,500 pixels, not " + side);
        }
        if (quality < 1 || quality > 100) {
            throw new IllegalArgumentException("the quality goes from 1 to 100; it cannot be " + quality);
        }
    }

    boolean holds(int width, int height) {
        return measured(width, height) <= side;
    }

    private int measured(int width, int height) {
        return shortSide ? Math.min(width, height) : Math.max(width, height);
    }

    /** One side of a picture when the one that is measured is cut to the limit; rounded to the nearest. */
    int scaled(int length, int width, int height) {
        int measured = measured(width, height);
        return (int) Math.max(1, ((long) length * side * 2 + measured) / (2L * measured));
    }
}
