package dev.stoker.image.kernel;

/** The order in which JPEG stores the 64 coefficients of a block. */
public final class Zigzag {
    private static final int[] TO_NATURAL = new int[64];
    private static final int[] FROM_COLUMN = new int[64];

    static {
        int row = 0;
        int column = 0;
        for (int k = 0; k < 64; k++) {
            TO_NATURAL[k] = row * 8 + column;
            FROM_COLUMN[column * 8 + row] = k;
            boolean up = (row + column) % 2 == 0;
            if (up) {
                if (column == 7) row++;
                else if (row == 0) column++;
                else {
                    row--;
                    column++;
                }
            } else {
                if (row == 7) column++;
                else if (column == 0) row++;
                else {
                    row++;
                    column--;
                }
            }
        }
    }

    private Zigzag() {}

    /** Row times 8 plus column of zigzag index k. */
    public static int natural(int k) {
        return TO_NATURAL[k];
    }

    /** The zigzag index of a place. */
    public static int index(int row, int column) {
        return FROM_COLUMN[column * 8 + row];
    }
}
