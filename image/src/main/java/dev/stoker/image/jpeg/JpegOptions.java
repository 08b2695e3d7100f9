package dev.stoker.image.jpeg;

/**
 * What a decoder accepts.
 *
 * @param maxPixels pictures with more are refused before anything is allocated for them
 * @param acceptTruncated pictures whose data ends early are decoded as far as they go, the rest is grey
 */
public record JpegOptions(long maxPixels, boolean acceptTruncated) {
    /** Twice the number at which Pillow warns of a decompression bomb, where it refuses. */
    public static final long DEFAULT_MAX_PIXELS = 178_956_970;

    public static final JpegOptions DEFAULT = new JpegOptions(DEFAULT_MAX_PIXELS, false);

    public JpegOptions withMaxPixels(long maxPixels) {
        return new JpegOptions(maxPixels, acceptTruncated);
    }

    public JpegOptions withAcceptTruncated(boolean accept) {
        return new JpegOptions(maxPixels, accept);
    }
}
