package dev.stoker.s3;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Enough of S3 in this process to see what is asked of it, and to fail in every way. One bucket, {@code b}. Requests
 * that are not signed as S3 wants it are refused.
 */
final class FakeS3 implements AutoCloseable {
    static final String SECRET = "the-secret-key";

    private static final String ACCESS_KEY = "the-access-key";
    private static final String REGION = "us-east-1";
    private static final int PAGE = 3;

    private final SignatureCheck signatures = new SignatureCheck(ACCESS_KEY, SECRET, REGION);

    final SortedMap<String, byte[]> objects = new ConcurrentSkipListMap<>();
    final List<String> requests = new CopyOnWriteArrayList<>();
    private final Deque<Fault> faults = new ArrayDeque<>();
    private final Map<String, SortedMap<Integer, byte[]>> uploads = new ConcurrentHashMap<>();
    private final HttpServer server;

    /** What happens to the next request instead of what should. */
    sealed interface Fault {
        /** It is answered with an error. */
        record Status(int status, String code) implements Fault {}

        /** The connection breaks after so many bytes of the answer. */
        record Cut(int after) implements Fault {}

        /** The object becomes another one just before. */
        record Change(String key, byte[] to) implements Fault {}

        /** It is answered with this. */
        record Said(String body) implements Fault {}

        /** It is done, but nobody is told. */
        record LostAnswer() implements Fault {}
    }

    FakeS3() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    S3Client client() {
        return client(URI.create("http://127.0.0.1:" + address().getPort()), 2);
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    static S3Client client(URI endpoint, int patienceSeconds) {
        var credentials = new Credentials(ACCESS_KEY, SECRET, "", "AWS_ACCESS_KEY_ID");
        return new S3Client(
                new Settings(endpoint, REGION, credentials, false, true, Duration.ofSeconds(patienceSeconds)));
    }

    S3Path path(String key) {
        return (S3Path) new S3Provider(client()).getPath(URI.create("s3://b/" + key));
    }

    void next(Fault... more) {
        synchronized (faults) {
            faults.addAll(List.of(more));
        }
    }

    private @Nullable Fault fault() {
        synchronized (faults) {
            return faults.poll();
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        byte[] body = exchange.getRequestBody().readAllBytes();
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                + String.valueOf(exchange.getRequestHeaders().getFirst("Range")));
        Fault fault = fault();
        if (fault instanceof Fault.Change change) {
            objects.put(change.key, change.to);
        }
        String refusal = signatures.fault(exchange, body);
        try (exchange) {
            if (!refusal.isEmpty()) {
                error(exchange, 403, refusal);
            } else if (fault instanceof Fault.Status(int status, String code)) {
                error(exchange, status, code);
            } else if (fault instanceof Fault.Said(String said)) {
                answer(exchange, 200, said.getBytes(StandardCharsets.UTF_8));
            } else if (!path.startsWith("/b/") && !path.equals("/b")) {
                error(exchange, 404, "NoSuchBucket");
            } else if (path.equals("/b")) {
                list(exchange);
            } else {
                object(exchange, path.substring(3), body, fault);
            }
        }
    }

    private void object(HttpExchange exchange, String key, byte[] body, @Nullable Fault fault) throws IOException {
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        switch (exchange.getRequestMethod()) {
            case "PUT" -> {
                if (query.contains("uploadId=")) {
                    int part = Integer.parseInt(query.replaceAll(".*partNumber=(\\d+).*", "$1"));
                    uploads.get("u-" + key).put(part, body);
                } else {
                    objects.put(key, body);
                }
                exchange.getResponseHeaders().set("ETag", "\"" + md5(body) + "\"");
                answer(exchange, 200, new byte[0]);
            }
            case "POST" -> post(exchange, key, query, fault);
            case "DELETE" -> {
                uploads.remove("u-" + key);
                answer(exchange, 204, new byte[0]);
            }
            default -> get(exchange, key, fault);
        }
    }

    private void post(HttpExchange exchange, String key, String query, @Nullable Fault fault) throws IOException {
        if (query.startsWith("uploads")) {
            uploads.put("u-" + key, new TreeMap<>());
            answer(
                    exchange,
                    200,
                    "<R><UploadId>%s</UploadId></R>".formatted("u-" + key).getBytes());
            return;
        }
        SortedMap<Integer, byte[]> parts = uploads.remove("u-" + key);
        if (parts == null) {
            error(exchange, 404, "NoSuchUpload");
            return;
        }
        var whole = new ByteArrayOutputStream();
        var digests = new ByteArrayOutputStream();
        for (byte[] part : parts.values()) {
            whole.writeBytes(part);
            digests.writeBytes(HexFormat.of().parseHex(md5(part)));
        }
        objects.put(key, whole.toByteArray());
        etags.put(key, md5(digests.toByteArray()) + "-" + parts.size());
        if (fault == null) {
            answer(exchange, 200, "<CompleteMultipartUploadResult/>".getBytes());
        }
    }

    private final Map<String, String> etags = new ConcurrentHashMap<>();

    boolean hasUploads() {
        return !uploads.isEmpty();
    }

    private void get(HttpExchange exchange, String key, @Nullable Fault fault) throws IOException {
        byte[] all = objects.get(key);
        if (all == null) {
            error(exchange, 404, "NoSuchKey");
            return;
        }
        String etag = "\"" + etags.getOrDefault(key, md5(all)) + "\"";
        String wanted = exchange.getRequestHeaders().getFirst("If-Match");
        if (wanted != null && !wanted.equals(etag)) {
            error(exchange, 412, "PreconditionFailed");
            return;
        }
        exchange.getResponseHeaders().set("ETag", etag);
        String range = exchange.getRequestHeaders().getFirst("Range");
        byte[] part = all;
        if (range != null) {
            String[] ends = range.substring("bytes=".length()).split("-");
            int to = Math.min(all.length - 1, Integer.parseInt(ends[1]));
            part = Arrays.copyOfRange(all, Integer.parseInt(ends[0]), to + 1);
            exchange.getResponseHeaders().set("Content-Range", "bytes " + ends[0] + "-" + to + "/" + all.length);
        }
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", String.valueOf(all.length));
            exchange.sendResponseHeaders(200, -1);
        } else if (fault instanceof Fault.Cut(int after)) {
            exchange.sendResponseHeaders(range == null ? 200 : 206, part.length);
            exchange.getResponseBody().write(part, 0, Math.min(after, part.length - 1));
            exchange.getResponseBody().flush();
        } else {
            answer(exchange, range == null ? 200 : 206, part);
        }
    }

    private void list(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getQuery();
        String prefix = query.replaceAll(".*prefix=([^&]*).*", "$1");
        String after =
                query.contains("continuation-token=") ? query.replaceAll(".*continuation-token=([^&]*).*", "$1") : "";
        var xml = new StringBuilder("<ListBucketResult><EncodingType>url</EncodingType>");
        String last = "";
        int count = 0;
        for (String key :
                objects.tailMap(after.isEmpty() ? prefix : after + "\0").keySet()) {
            if (key.startsWith(prefix) && count++ < PAGE) {
                last = key;
                xml.append("<Contents><Key>%s</Key><Size>%d</Size><ETag>&quot;%s&quot;</ETag></Contents>"
                        .formatted(
                                URLEncoder.encode(key, StandardCharsets.UTF_8),
                                objects.get(key).length,
                                md5(objects.get(key))));
            }
        }
        if (count > PAGE) {
            xml.append("<IsTruncated>true</IsTruncated><NextContinuationToken>")
                    .append(last)
                    .append("</NextContinuationToken>");
        }
        answer(exchange, 200, xml.append("</ListBucketResult>").toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void error(HttpExchange exchange, int status, String code) throws IOException {
        answer(exchange, status, ("<?xml version=\"1.0\"?><Error><Code>" + code + "</Code></Error>").getBytes());
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        boolean hasBody = body.length > 0 && !exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, hasBody ? body.length : -1);
        if (hasBody) {
            exchange.getResponseBody().write(body);
        }
    }

    static String md5(byte[] bytes) {
        return HexFormat.of().formatHex(Signer.digest("MD5").digest(bytes));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
