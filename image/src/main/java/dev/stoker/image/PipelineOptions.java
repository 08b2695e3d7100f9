package dev.stoker.image;

import dev.stoker.image.jpeg.JpegOptions;

/**
 * How pictures are decoded before the transforms see them.
 *
 * @param jpeg limits, and whether truncated pictures are accepted
 * @param orient pictures are turned as their EXIF orientation says; torchvision's loader does not do that
 * @param fastScale JPEGs much larger than wanted are shrunk while decoding: faster, but not the same pixels
 */
public record PipelineOptions(JpegOptions jpeg, boolean orient, boolean fastScale) {
    public static final PipelineOptions DEFAULT = new PipelineOptions(JpegOptions.DEFAULT, false, false);

    public PipelineOptions withJpeg(JpegOptions jpeg) {
        return new PipelineOptions(jpeg, orient, fastScale);
    }

    public PipelineOptions withOrient(boolean orient) {
        return new PipelineOptions(jpeg, orient, fastScale);
    }

    public PipelineOptions withFastScale(boolean fastScale) {
        return new PipelineOptions(jpeg, orient, fastScale);
    }
}
