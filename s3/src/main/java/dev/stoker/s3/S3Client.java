package dev.stoker.s3;

import dev.stoker.remote.RemoteException;
import dev.stoker.remote.RemoteObject;
import dev.stoker.text.Printable;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The requests to one S3. Safe for any number of threads. */
final class S3Client {
    private static final int PAGE = 1000;
    private static final int NOT_FOUND = 404;
    private static final int BUFFER_BYTES = 64 << 10;
    /** A thousand keys of 1,024 bytes, each of which may be written as three, and what is said of them. */
    private static final int MAX_PAGE_BYTES = 16 << 20;

    private final Wire wire;

    S3Client(Settings settings) {
        this.wire = new Wire(settings);
    }

    /** The one that this process's variables name. */
    static S3Client ofProcess() {
        return new S3Client(Settings.of(System.getenv(), Path.of(System.getProperty("user.home"))));
    }

    Wire wire() {
        return wire;
    }

    /** What is done with an answer; may be done again if the connection breaks meanwhile. */
    interface Use<T> {
        T of(Answer answer) throws IOException;
    }

    /** Sends a request until it is answered. Passing failures are tried again, others thrown. */
    <T> T call(Request request, Use<T> use) {
        Patience patience = wire.patience(request);
        while (true) {
            try (Answer answer = wire.send(request)) {
                ErrorText failure = answer.failure();
                if (failure == null || !failure.isPassing()) {
                    T result = use.of(answer);
                    patience.progressed();
                    return result;
                }
                patience.failed("it answered " + failure);
            } catch (IOException e) {
                patience.failed(Refusal.reason(e));
            }
        }
    }

    /** The error for an answer that nothing can be done with. */
    RemoteException refusal(Request request, Answer answer) {
        ErrorText failure = answer.failure();
        return Refusal.of(request, failure == null ? new ErrorText(answer.status(), "", "") : failure, wire.settings());
    }

    private <T> T callGood(Request request, Use<T> use) {
        return call(request, answer -> {
            if (!answer.isGood()) {
                throw refusal(request, answer);
            }
            return use.of(answer);
        });
    }

    /** An object; null if there is none of this name. */
    @Nullable
    RemoteObject find(String bucket, String key) {
        Request request = Request.of("HEAD", bucket, key);
        Optional<RemoteObject> found = call(request, answer -> {
            if (answer.status() == NOT_FOUND) {
                return Optional.empty();
            }
            if (!answer.isGood()) {
                throw refusal(request, answer);
            }
            return Optional.of(new RemoteObject(length(request, answer), version(answer.header("ETag"))));
        });
        return found.orElse(null);
    }

    private long length(Request request, Answer answer) {
        long length = answer.connection().getContentLengthLong();
        if (length < 0) {
            throw new RemoteException("[" + request.address() + "] the storage does not say how large the object is");
        }
        return length;
    }

    static String version(String etag) {
        return etag.replace("\"", "");
    }

    /** What HEAD tells beside size and version. */
    <T> T look(Request request, Use<T> use) {
        return callGood(request, use);
    }

    /** One page of a listing. */
    record Page(List<Listed> objects, List<String> folders, String next) {}

    /** An object by its whole key. */
    record Listed(String key, RemoteObject object) {}

    /**
     * Lists keys.
     *
     * @param delimiter what ends the name of a folder; empty to list all keys
     * @param after empty, or what the page before said comes next
     * @param most how many at the most; a page has {@value #PAGE}
     */
    Page list(String bucket, String prefix, String delimiter, String after, int most) {
        Request request = Request.of("GET", bucket, "")
                .query("list-type", "2")
                .query("prefix", prefix)
                .query("encoding-type", "url")
                .query("max-keys", String.valueOf(Math.min(PAGE, most)));
        if (!delimiter.isEmpty()) {
            request = request.query("delimiter", delimiter);
        }
        if (!after.isEmpty()) {
            request = request.query("continuation-token", after);
        }
        Page page = callGood(request, answer -> {
            try (InputStream body = answer.body()) {
                return page(new ByteArrayInputStream(whole(body)));
            }
        });
        requireBelow(request.address(), prefix, page);
        return page;
    }

    /** Others could not be told from what does lie there, once the prefix is cut off. */
    private static void requireBelow(String address, String prefix, Page page) {
        var keys = new ArrayList<>(page.folders());
        page.objects().forEach(each -> keys.add(each.key()));
        for (String key : keys) {
            if (!key.startsWith(prefix)) {
                throw new RemoteException("[" + address + "] was asked for what begins with '" + Printable.line(prefix)
                        + "', but listed '" + Printable.line(key) + "'; this is not S3, or it is broken");
            }
        }
    }

    /** An answer that is small; one that only drips does not hold this up for longer than the patience. */
    private byte[] whole(InputStream body) throws IOException {
        long start = System.nanoTime();
        var bytes = new ByteArrayOutputStream();
        var buffer = new byte[BUFFER_BYTES];
        for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
            bytes.write(buffer, 0, read);
            if (bytes.size() > MAX_PAGE_BYTES) {
                throw new IOException("a page of a listing has more than " + MAX_PAGE_BYTES + " bytes");
            }
            if (System.nanoTime() - start > wire.settings().patience().toNanos()) {
                throw new IOException("a page of a listing took longer than "
                        + wire.settings().patience().toSeconds() + " s");
            }
        }
        return bytes.toByteArray();
    }

    /** Reads the answer to a listing. */
    static Page page(InputStream body) throws IOException {
        return new ListReader().read(body);
    }

    /** Collects the elements of a listing. */
    private static final class ListReader implements Xml.Visitor {
        private record Raw(String key, long size, String version) {}

        private final List<Raw> raw = new ArrayList<>();
        private final List<String> folders = new ArrayList<>();
        private String key = "";
        private String etag = "";
        private String size = "";
        private String next = "";
        private boolean isTruncated;
        private boolean isEncoded;

        Page read(InputStream body) throws IOException {
            Xml.read(body, this);
            if (isTruncated && next.isEmpty()) {
                throw new IOException("the listing is truncated but has no continuation token");
            }
            var objects = new ArrayList<Listed>();
            for (Raw each : raw) {
                objects.add(new Listed(decoded(each.key), new RemoteObject(each.size, each.version)));
            }
            var names = new ArrayList<String>();
            for (String folder : folders) {
                names.add(decoded(folder));
            }
            return new Page(objects, names, isTruncated ? next : "");
        }

        private String decoded(String text) throws IOException {
            try {
                return isEncoded ? URLDecoder.decode(text, StandardCharsets.UTF_8) : text;
            } catch (IllegalArgumentException e) {
                throw new IOException("a listing has a name that is not encoded as it says: " + text, e);
            }
        }

        @Override
        public void text(String parent, String name, String text) {
            switch (parent + "/" + name) {
                case "Contents/Key" -> key = text;
                case "Contents/ETag" -> etag = text;
                case "Contents/Size" -> size = text;
                case "CommonPrefixes/Prefix" -> folders.add(text);
                case "ListBucketResult/IsTruncated" -> isTruncated = text.equals("true");
                case "ListBucketResult/NextContinuationToken" -> next = text;
                case "ListBucketResult/EncodingType" -> isEncoded = text.equals("url");
                default -> {}
            }
        }

        @Override
        public void end(String name) {
            if (name.equals("Contents")) {
                raw.add(new Raw(key, size.matches("\\d{1,18}") ? Long.parseLong(size) : 0, version(etag)));
            }
        }
    }
}
