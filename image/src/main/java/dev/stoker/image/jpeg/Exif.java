package dev.stoker.image.jpeg;

/** Finds the orientation in an EXIF segment. Whatever is not understood means 1: metadata never makes a picture unreadable. */
final class Exif {
    private Exif() {}

    /**
     * The orientation that a segment names, or 1.
     *
     * @param at the first byte after the segment's length
     * @param end the first byte after the segment
     */
    static int orientation(byte[] b, int at, int end) {
        boolean exif = end - at >= 14
                && b[at] == 'E'
                && b[at + 1] == 'x'
                && b[at + 2] == 'i'
                && b[at + 3] == 'f'
                && b[at + 4] == 0;
        if (!exif) {
            return 1;
        }
        int tiff = at + 6;
        boolean little = b[tiff] == 'I';
        long directory = tiff + u32(b, tiff + 4, little);
        if (directory > end - 2) {
            return 1;
        }
        int entries = u16(b, (int) directory, little);
        for (int i = 0; i < entries; i++) {
            int entry = (int) directory + 2 + 12 * i;
            if (entry > end - 12) {
                return 1;
            }
            if (u16(b, entry, little) == 0x0112) {
                int value = u16(b, entry + 8, little);
                return value >= 1 && value <= 8 ? value : 1;
            }
        }
        return 1;
    }

    private static int u16(byte[] b, int at, boolean little) {
        int x = b[at] & 255;
        int y = b[at + 1] & 255;
        return little ? y << 8 | x : x << 8 | y;
    }

    private static long u32(byte[] b, int at, boolean little) {
        long x = u16(b, at, little);
        long y = u16(b, at + 2, little);
        return little ? y << 16 | x : x << 16 | y;
    }
}
