package dev.stoker.dataset;

import dev.stoker.StokerException;

/** A file is no longer the one that a feed began with. It concerns every sample, so no policy for bad ones helps. */
public final class ChangedFileException extends StokerException {
    private static final long serialVersionUID = 1L;

    ChangedFileException(String message) {
        super(message);
    }
}
