package dev.stoker.format;

/**
 * A piece of a planned container that one writer fills on its own: the bytes {@code offset … offset + length - 1}. It
 * belongs to the samples {@code first … end - 1}; a run of frame bytes (a header, a footer) belongs to none.
 */
public record Run(long first, long end, long offset, long length) {
    public static Run frame(long offset, long length) {
        return new Run(0, 0, offset, length);
    }

    public long samples() {
        return end - first;
    }
}
