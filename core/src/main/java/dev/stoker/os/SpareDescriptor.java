package dev.stoker.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * An open file that is there to be closed: where a process may open no further one, that makes room for one more. Used
 * by one thread at a time.
 */
public final class SpareDescriptor implements AutoCloseable {
    private static final int NONE = -1;
    private static final byte[] NOTHING = "/dev/null".getBytes(StandardCharsets.US_ASCII);

    private int file = NONE;

    public SpareDescriptor() {
        open();
    }

    /** Opens it, if it is not; where there is no room for it, it stays closed. */
    public void open() {
        if (file == NONE) {
            try {
                file = Posix.open(Posix.HERE, NOTHING);
            } catch (IOException e) {
                // Somebody else took the room; the next call may find some.
            }
        }
    }

    @Override
    public void close() {
        if (file != NONE) {
            Posix.close(file);
            file = NONE;
        }
    }
}
