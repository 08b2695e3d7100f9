package dev.stoker.remote;

import dev.stoker.StokerException;

/**
 * Remote storage failed, refused, or gave another object than before. It says nothing of a single sample, so whoever
 * leaves out bad samples does not leave out those.
 */
public final class RemoteException extends StokerException {
    private static final long serialVersionUID = 1L;

    public RemoteException(String message) {
        super(message);
    }

    public RemoteException(String message, Throwable cause) {
        super(message, cause);
    }
}
