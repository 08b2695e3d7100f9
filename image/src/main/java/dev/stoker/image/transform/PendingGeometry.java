package dev.stoker.image.transform;

import dev.stoker.image.kernel.ResizeTaps.Filter;

/**
 * Crops, at most one resize, and flips, gathered: a box of the source is resized to a size, a window of that is seen, mirrored
 * or not. Without a resize the box is the whole source. The window may reach beyond, where pixels are black.
 */
final class PendingGeometry {
    int boxX;
    int boxY;
    int boxWidth;
    int boxHeight;
    boolean resized;
    Filter filter = Filter.BILINEAR;
    int resizedWidth;
    int resizedHeight;
    int windowX;
    int windowY;
    int width;
    int height;
    boolean mirrored;

    void begin(int sourceWidth, int sourceHeight) {
        boxX = 0;
        boxY = 0;
        boxWidth = sourceWidth;
        boxHeight = sourceHeight;
        resized = false;
        resizedWidth = sourceWidth;
        resizedHeight = sourceHeight;
        windowX = 0;
        windowY = 0;
        width = sourceWidth;
        height = sourceHeight;
        mirrored = false;
    }

    boolean changesNothing() {
        return !resized && !mirrored && windowX == 0 && windowY == 0 && width == boxWidth && height == boxHeight;
    }

    /** A box of what is seen now; it may reach beyond. */
    void crop(int x, int y, int width, int height) {
        windowX += mirrored ? this.width - x - width : x;
        windowY += y;
        this.width = width;
        this.height = height;
    }

    void mirror() {
        mirrored = !mirrored;
    }

    /** True if a resize of what is seen now gives the same pixels here as after drawing it. */
    boolean canResize() {
        boolean inside = windowX >= 0 && windowY >= 0 && windowX + width <= boxWidth && windowY + height <= boxHeight;
        return !resized && !mirrored && inside;
    }

    void resize(int width, int height, Filter filter) {
        boxX = windowX;
        boxY = windowY;
        boxWidth = this.width;
        boxHeight = this.height;
        resized = true;
        this.filter = filter;
        resizedWidth = width;
        resizedHeight = height;
        windowX = 0;
        windowY = 0;
        this.width = width;
        this.height = height;
    }
}
