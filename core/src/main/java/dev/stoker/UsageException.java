package dev.stoker;

/** A request that cannot be meant as it was written: an unknown name, or settings that contradict each other. */
@PublicApi
public final class UsageException extends StokerException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }

    public UsageException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * A request that cannot be meant of one file.
     *
     * @param file its path or name, which the message begins with
     */
    public UsageException(Object file, String reason) {
        super(file, reason);
    }
}
