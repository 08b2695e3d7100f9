package dev.stoker.s3;

import dev.stoker.StokerException;
import dev.stoker.memory.RemoteObject;
import dev.stoker.memory.RemotePath;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * {@code s3://bucket/key}, or a name to be resolved against one. A key is any text: nothing in it is normalised, so
 * {@code ..} means no folder above, and two slashes are not one.
 */
final class S3Path implements RemotePath {
    private final S3FileSystem system;
    private final @Nullable String bucket;
    private final String key;

    /** @param bucket null for a name alone */
    S3Path(S3FileSystem system, @Nullable String bucket, String key) {
        this.system = system;
        this.bucket = bucket;
        this.key = key;
    }

    String bucket() {
        return Objects.requireNonNull(bucket, "a name alone is no address");
    }

    String key() {
        return key;
    }

    S3Client client() {
        return system.client();
    }

    /** What the keys of all objects below begin with. */
    String prefix() {
        return key.isEmpty() ? "" : key + "/";
    }

    @Override
    public @Nullable RemoteObject find() {
        return key.isEmpty() ? null : client().find(bucket(), key);
    }

    @Override
    public void list(BiConsumer<String, RemoteObject> to) {
        var found = new ArrayList<S3Client.Listed>();
        String next = "";
        do {
            S3Client.Page page = client().list(bucket(), prefix(), "", next, Integer.MAX_VALUE);
            found.addAll(page.objects());
            next = page.next();
        } while (!next.isEmpty());
        // Nearly all S3 list in this order already, and sorting what is sorted costs one look.
        found.sort((a, b) -> Arrays.compareUnsigned(
                a.key().getBytes(StandardCharsets.UTF_8), b.key().getBytes(StandardCharsets.UTF_8)));
        for (S3Client.Listed each : found) {
            to.accept(each.key().substring(prefix().length()), each.object());
        }
    }

    @Override
    public S3Path below(String name) {
        return new S3Path(system, bucket, prefix() + name);
    }

    @Override
    public Reader open(RemoteObject object, long from, long length) {
        Objects.checkFromIndexSize(from, length, object.size());
        return new S3Reader(client(), Request.of("GET", bucket(), key), object, from, length);
    }

    @Override
    public String compare(RemoteObject object, Path copy) {
        return ObjectCheck.compare(client(), bucket(), key, object, copy);
    }

    @Override
    public void put(Path file, LongConsumer sent) {
        new Upload(client(), bucket(), key, sent).run(file);
    }

    // ---- a path as any other

    @Override
    public FileSystem getFileSystem() {
        return system;
    }

    @Override
    public boolean isAbsolute() {
        return bucket != null;
    }

    @Override
    public @Nullable Path getRoot() {
        return bucket == null ? null : new S3Path(system, bucket, "");
    }

    @Override
    public @Nullable Path getFileName() {
        return key.isEmpty() ? null : new S3Path(system, null, key.substring(key.lastIndexOf('/') + 1));
    }

    @Override
    public @Nullable Path getParent() {
        int slash = key.lastIndexOf('/');
        if (slash < 0) {
            return key.isEmpty() ? null : getRoot();
        }
        return new S3Path(system, bucket, key.substring(0, slash));
    }

    private List<String> names() {
        return key.isEmpty() ? List.of() : List.of(key.split("/", -1));
    }

    @Override
    public int getNameCount() {
        return names().size();
    }

    @Override
    public Path getName(int index) {
        return subpath(index, index + 1);
    }

    @Override
    public Path subpath(int from, int to) {
        return new S3Path(system, null, String.join("/", names().subList(from, to)));
    }

    @Override
    public boolean startsWith(Path other) {
        return other instanceof S3Path that
                && Objects.equals(bucket, that.bucket)
                && (key.equals(that.key) || key.startsWith(that.prefix()));
    }

    @Override
    public boolean endsWith(Path other) {
        return equals(other) || (other instanceof S3Path that && !that.isAbsolute() && key.endsWith("/" + that.key));
    }

    @Override
    public Path normalize() {
        return this;
    }

    @Override
    public Path resolve(Path other) {
        if (other.isAbsolute()) {
            return other;
        }
        return other.toString().isEmpty() ? this : below(other.toString());
    }

    @Override
    public Path relativize(Path other) {
        if (!(other instanceof S3Path that) || !that.startsWith(this)) {
            throw new IllegalArgumentException(other + " is not below " + this);
        }
        return new S3Path(system, null, that.key.substring(Math.min(that.key.length(), prefix().length())));
    }

    @Override
    public URI toUri() {
        try {
            return new URI(S3Provider.SCHEME, bucket(), "/" + key, null, null);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Path toAbsolutePath() {
        if (bucket == null) {
            throw new StokerException("'" + key + "' is no address; it should be like s3://bucket/name");
        }
        return this;
    }

    @Override
    public Path toRealPath(LinkOption... options) {
        return toAbsolutePath();
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
        throw new StokerException("S3 does not tell of changes");
    }

    @Override
    public int compareTo(Path other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof S3Path that && Objects.equals(bucket, that.bucket) && key.equals(that.key);
    }

    @Override
    public int hashCode() {
        return Objects.hash(bucket, key);
    }

    @Override
    public String toString() {
        return bucket == null ? key : S3Provider.SCHEME + "://" + bucket + (key.isEmpty() ? "" : "/" + key);
    }
}
