package dev.stoker.s3;

import dev.stoker.concurrent.WorkerPool;
import dev.stoker.io.MappedFile;
import dev.stoker.remote.RemoteException;
import dev.stoker.remote.RemoteObject;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;

/**
 * Stores a file as an object: by one request if it is small, else in parts that several threads send at once. The object
 * appears when all is there. Whatever ends this, an upload that was not completed is aborted, so that nobody pays for it.
 */
final class Upload {
    private static final long PART_BYTES = 16 << 20;
    private static final int MOST_PARTS = 10_000;
    private static final int CONNECTIONS = 8;
    private static final int NOT_FOUND = 404;

    private final S3Client client;
    private final String bucket;
    private final String key;
    private final LongConsumer sent;

    Upload(S3Client client, String bucket, String key, LongConsumer sent) {
        this.client = client;
        this.bucket = bucket;
        this.key = key;
        this.sent = sent;
    }

    void run(Path path) {
        try (MappedFile file = MappedFile.open(path)) {
            if (file.size() <= PART_BYTES) {
                header(Request.of("PUT", bucket, key).body(part(file, 0, file.size())), "ETag");
                sent.accept(file.size());
            } else {
                inParts(file);
            }
            RemoteObject stored = client.find(bucket, key);
            if (stored == null || stored.size() != file.size()) {
                throw new RemoteException("[" + Request.of("HEAD", bucket, key).address() + "] should have "
                        + file.size() + " bytes after it was stored, but "
                        + (stored == null ? "does not exist" : "has " + stored.size())
                        + "; someone else is writing or deleting it");
            }
        }
    }

    private static ByteBuffer part(MappedFile file, long from, long length) {
        return file.bytes().asSlice(from, length).asByteBuffer();
    }

    private String header(Request request, String name) {
        return client.look(request, answer -> answer.header(name));
    }

    private void inParts(MappedFile file) {
        String id = begin();
        Request abort = Request.of("DELETE", bucket, key).query("uploadId", id);
        var hook = new Thread(() -> abort(abort));
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            long partBytes = Math.max(PART_BYTES, Math.ceilDiv(file.size(), MOST_PARTS));
            var etags = new String[Math.toIntExact(Math.ceilDiv(file.size(), partBytes))];
            WorkerPool.run(CONNECTIONS, etags.length, () -> number -> {
                long from = number * partBytes;
                long length = Math.min(partBytes, file.size() - from);
                Request put = Request.of("PUT", bucket, key)
                        .query("partNumber", String.valueOf(number + 1))
                        .query("uploadId", id)
                        .body(part(file, from, length));
                etags[(int) number] = header(put, "ETag");
                sent.accept(length);
            });
            complete(id, etags);
        } catch (RuntimeException | Error e) {
            abort(abort);
            throw e;
        } finally {
            release(hook);
        }
    }

    private static void release(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It runs already.
        }
    }

    private String begin() {
        Request request = Request.of("POST", bucket, key).query("uploads", "");
        return client.look(request, answer -> {
            try (InputStream body = answer.body()) {
                return Objects.requireNonNull(Xml.texts(body).get("UploadId"), "an upload has an identity");
            }
        });
    }

    private void abort(Request abort) {
        try {
            client.call(abort, Answer::status);
        } catch (RuntimeException e) {
            // The failure that led here is the one to report; S3 can be told to abort what is old.
        }
    }

    private void complete(String id, String[] etags) {
        var xml = new StringBuilder("<CompleteMultipartUpload>");
        for (int i = 0; i < etags.length; i++) {
            xml.append("<Part><PartNumber>").append(i + 1).append("</PartNumber><ETag>");
            xml.append(etags[i].replace("&", "&amp;").replace("<", "&lt;")).append("</ETag></Part>");
        }
        xml.append("</CompleteMultipartUpload>");
        Request request = Request.of("POST", bucket, key)
                .query("uploadId", id)
                .body(ByteBuffer.wrap(xml.toString().getBytes(StandardCharsets.UTF_8)));
        client.call(request, answer -> {
            // A lost answer makes this come twice; then the upload is gone, and the object is what it should be.
            boolean isDone = answer.status() == NOT_FOUND && isStored(etags);
            if (!answer.isGood() && !isDone) {
                throw client.refusal(request, answer);
            }
            if (!isDone) {
                requireNoError(request, answer);
            }
            return answer.status();
        });
    }

    /** Completing takes long, so its answer begins with 200 before S3 knows how it ends. */
    private void requireNoError(Request request, Answer answer) throws java.io.IOException {
        try (InputStream body = answer.body()) {
            Map<String, String> texts = Xml.texts(body);
            if (texts.containsKey("Code")) {
                throw Refusal.of(
                        request,
                        new ErrorText(answer.status(), String.valueOf(texts.get("Code")), ""),
                        client.wire().settings());
            }
        }
    }

    private boolean isStored(String[] etags) {
        MessageDigest all = Signer.digest("MD5");
        for (String etag : etags) {
            String md5 = S3Client.version(etag);
            if (!ObjectCheck.isMd5(md5)) {
                return false;
            }
            all.update(HexFormat.of().parseHex(md5));
        }
        RemoteObject stored = client.find(bucket, key);
        return stored != null && stored.version().equals(HexFormat.of().formatHex(all.digest()) + "-" + etags.length);
    }
}
