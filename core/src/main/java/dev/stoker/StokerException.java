package dev.stoker;

/**
 * A failure that a person can act on. The message stands on its own: file, place, expected, found, what to do. The
 * command prints it as one line; a stack trace adds nothing to it.
 */
public class StokerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StokerException(String message) {
        super(message);
    }

    public StokerException(String message, Throwable cause) {
        super(message, cause);
    }
}
