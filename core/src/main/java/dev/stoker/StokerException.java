package dev.stoker;

/**
 * Something that the user can understand and mend: the message says which file, where in it, what was expected, what was
 * found and what to do. The command prints the message alone, without a stack trace.
 */
public class StokerException extends RuntimeException {
    public StokerException(String message) {
        super(message);
    }

    public StokerException(String message, Throwable cause) {
        super(message, cause);
    }
}
