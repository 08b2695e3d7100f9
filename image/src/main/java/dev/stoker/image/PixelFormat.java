package dev.stoker.image;

/** What a decoded pixel is. */
public enum PixelFormat {
    GREY(1),
    RGB(3);

    private final int channels;

    PixelFormat(int channels) {
        this.channels = channels;
    }

    public int channels() {
        return channels;
    }
}
