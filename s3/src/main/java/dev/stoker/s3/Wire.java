package dev.stoker.s3;

import dev.stoker.remote.RemoteException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request, signed, and gives its answer. The JDK's old HTTP client is used, since only that one can limit how
 * long a server may be silent in the middle of an answer.
 */
final class Wire {
    private static final int CONNECT_MILLIS = 10_000;
    /** A silent connection is given up after this share of the patience, so that there is time for another. */
    private static final int SILENCES = 3;

    private static final int MAX_ERROR_BYTES = 64 << 10;
    private static final int BUFFER_BYTES = 256 << 10;

    static {
        // As many connections stay open as there are workers; the JDK's own limit is 5.
        if (System.getProperty("http.maxConnections") == null) {
            System.setProperty("http.maxConnections", "64");
        }
    }

    private final Settings settings;
    private final @Nullable Signer signer;
    private final AtomicBoolean answered = new AtomicBoolean();

    Wire(Settings settings) {
        this.settings = settings;
        Credentials credentials = settings.credentials();
        this.signer = credentials == null || settings.isAnonymous() ? null : new Signer(credentials, settings.region());
    }

    Settings settings() {
        return settings;
    }

    Patience patience(Request request) {
        return new Patience(request.address(), endpoint(request.bucket()).toString(), settings.patience(), answered);
    }

    /** Where a bucket is asked for. */
    private URI endpoint(String bucket) {
        URI given = settings.endpoint();
        if (given != null) {
            return given;
        }
        boolean inPath = settings.isPathStyle() || bucket.contains(".");
        return URI.create("https://" + (inPath ? "" : bucket + ".") + "s3." + settings.region() + ".amazonaws.com");
    }

    private URI address(Request request, String path) {
        URI endpoint = endpoint(request.bucket());
        String host = endpoint.getRawAuthority();
        if (!isInPath(request.bucket()) && settings.endpoint() != null) {
            host = request.bucket() + "." + host;
        }
        String query = query(request);
        return URI.create(endpoint.getScheme() + "://" + host + path + (query.isEmpty() ? "" : "?" + query));
    }

    private boolean isInPath(String bucket) {
        return settings.isPathStyle() || (settings.endpoint() == null && bucket.contains("."));
    }

    private String path(Request request) {
        String base = endpoint(request.bucket()).getRawPath().replaceAll("/+$", "");
        String key = request.key().isEmpty() ? "" : "/" + Signer.encode(request.key(), true);
        String path = base + (isInPath(request.bucket()) ? "/" + Signer.encode(request.bucket(), false) : "") + key;
        return path.isEmpty() ? "/" : path;
    }

    private static String query(Request request) {
        return request.query().entrySet().stream()
                .map(e -> Signer.encode(e.getKey(), false) + "=" + Signer.encode(e.getValue(), false))
                .collect(Collectors.joining("&"));
    }

    /** Sends a request once. An answer that is an error is one too. */
    Answer send(Request request) throws IOException {
        if (signer == null && !settings.isAnonymous()) {
            throw new RemoteException("[" + request.address()
                    + "] there are no credentials for S3; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
                    + " to a profile in ~/.aws/credentials, or AWS_NO_SIGN_REQUEST=YES for public data");
        }
        URI uri = address(request, path(request));
        var connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setRequestMethod(request.method());
        connection.setConnectTimeout(
                (int) Math.min(CONNECT_MILLIS, settings.patience().toMillis()));
        connection.setReadTimeout((int) Math.max(1000, settings.patience().toMillis() / SILENCES));
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        headers(request, uri).forEach((name, value) -> {
            if (!name.equals("host")) { // the connection sends its own, which is the same
                connection.setRequestProperty(name, value);
            }
        });
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            write(connection, request.body());
        }
        int status = connection.getResponseCode();
        return new Answer(status, connection, status >= 200 && status < 300 ? null : failure(status, connection));
    }

    private Map<String, String> headers(Request request, URI uri) {
        if (signer == null) {
            return new TreeMap<>(request.headers());
        }
        String hash = Signer.NO_BODY;
        if (request.body().hasRemaining()) {
            MessageDigest digest = Signer.digest("SHA-256");
            digest.update(request.body().duplicate());
            hash = HexFormat.of().formatHex(digest.digest());
        }
        return signer.sign(
                request.method(), host(uri), path(request), query(request), request.headers(), hash, Instant.now());
    }

    /** The header that {@link HttpURLConnection} sends, which leaves out a port that the scheme has anyway. */
    static String host(URI uri) {
        try {
            URL url = uri.toURL();
            int port = url.getPort();
            return port < 0 || port == url.getDefaultPort() ? url.getHost() : url.getHost() + ":" + port;
        } catch (MalformedURLException e) {
            throw new IllegalStateException("the settings allow only http and https", e);
        }
    }

    private static void write(HttpURLConnection connection, ByteBuffer body) throws IOException {
        ByteBuffer left = body.duplicate();
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(left.remaining());
        try (OutputStream out = connection.getOutputStream()) {
            var buffer = new byte[Math.min(BUFFER_BYTES, left.remaining())];
            while (left.hasRemaining()) {
                int part = Math.min(buffer.length, left.remaining());
                left.get(buffer, 0, part);
                out.write(buffer, 0, part);
            }
        }
    }

    private static ErrorText failure(int status, HttpURLConnection connection) throws IOException {
        String region = connection.getHeaderField("x-amz-bucket-region");
        try (InputStream in = connection.getErrorStream()) {
            byte[] body = in == null ? new byte[0] : in.readNBytes(MAX_ERROR_BYTES);
            return ErrorText.of(status, body, region == null ? "" : region);
        }
    }
}
