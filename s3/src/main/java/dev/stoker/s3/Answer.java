package dev.stoker.s3;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import org.jspecify.annotations.Nullable;

/**
 * What the storage answered; its body is still to be read.
 *
 * @param failure what an answer that is an error says of itself; null for any other
 */
record Answer(
        int status, HttpURLConnection connection, @Nullable ErrorText failure) implements AutoCloseable {
    private static final int DRAINED = 256 << 10;

    /** A header; empty if there is none. */
    String header(String name) {
        String value = connection.getHeaderField(name);
        return value == null ? "" : value;
    }

    InputStream body() throws IOException {
        return connection.getInputStream();
    }

    boolean isGood() {
        return failure == null;
    }

    /** What is left of the body is read, if it is little, so that the connection can be used again. */
    @Override
    public void close() {
        try (InputStream rest = status < HttpURLConnection.HTTP_BAD_REQUEST ? connection.getInputStream() : null) {
            if (rest != null && rest.skip(DRAINED) == DRAINED) {
                connection.disconnect();
            }
        } catch (IOException e) {
            connection.disconnect();
        }
    }
}
