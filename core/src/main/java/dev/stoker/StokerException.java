package dev.stoker;

import org.jspecify.annotations.Nullable;

/**
 * A failure that a person can act on. The message stands on its own: file, place, expected, found, what to do. The
 * command prints it as one line; a stack trace adds nothing to it.
 */
@PublicApi
public class StokerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final @Nullable String file;

    public StokerException(String message) {
        super(message);
        this.file = null;
    }

    public StokerException(String message, Throwable cause) {
        super(message, cause);
        this.file = null;
    }

    /**
     * A failure of one file.
     *
     * @param file its path or name, which the message begins with
     */
    public StokerException(Object file, String reason) {
        super("[" + file + "] " + reason);
        this.file = file.toString();
    }

    public StokerException(Object file, String reason, Throwable cause) {
        super("[" + file + "] " + reason, cause);
        this.file = file.toString();
    }

    /** Whether the failure already says which file it is of. */
    public final boolean hasFile() {
        return file != null;
    }

    /** The same failure, said of a file, unless it already is. */
    public final StokerException in(Object container) {
        return hasFile() ? this : new StokerException(container, String.valueOf(getMessage()), this);
    }
}
