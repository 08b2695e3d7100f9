package dev.stoker.image.webp;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;

/** What libwebp tells of a picture without decoding it. */
record WebpFeatures(int width, int height, boolean isAnimated) {
    /** {@code WebPBitstreamFeatures}: width, height, alpha, animation, kind of coding, and room for five more. */
    static final MemoryLayout LAYOUT = MemoryLayout.sequenceLayout(10, JAVA_INT);

    static WebpFeatures of(MemorySegment found) {
        return new WebpFeatures(
                found.getAtIndex(JAVA_INT, 0), found.getAtIndex(JAVA_INT, 1), found.getAtIndex(JAVA_INT, 3) != 0);
    }
}
