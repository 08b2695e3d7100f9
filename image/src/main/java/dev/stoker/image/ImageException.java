package dev.stoker.image;

/**
 * A picture that cannot be decoded: not a picture, damaged, truncated, over a limit, or of a kind that is not supported.
 * It is the only exception that encoded bytes can cause. The caller knows the file and the sample, and adds them.
 */
public final class ImageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long offset;
    private final String reason;
    private final boolean unsupported;

    /**
     * @param offset the byte of the encoded picture at which the reason was found
     * @param reason what was expected, what was found, and what to do if anything can be done
     */
    public ImageException(long offset, String reason) {
        this(offset, reason, false);
    }

    private ImageException(long offset, String reason, boolean unsupported) {
        super("byte " + offset + ": " + reason);
        this.offset = offset;
        this.reason = reason;
        this.unsupported = unsupported;
    }

    /** For a picture that may be whole, but is of a kind that this decoder does not know. */
    public static ImageException unsupported(long offset, String reason) {
        return new ImageException(offset, reason, true);
    }

    public ImageException(long offset, String reason, Throwable cause) {
        this(offset, reason);
        initCause(cause);
    }

    public long offset() {
        return offset;
    }

    public String reason() {
        return reason;
    }

    /** True if another decoder may know this kind of picture. */
    public boolean isUnsupported() {
        return unsupported;
    }
}
