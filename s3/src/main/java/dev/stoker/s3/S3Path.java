package dev.stoker.s3;

import dev.stoker.remote.ObjectFileSystem;
import dev.stoker.remote.ObjectPath;
import dev.stoker.remote.RemoteException;
import dev.stoker.remote.RemoteObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** {@code s3://bucket/key}, or a name to be resolved against one. */
final class S3Path extends ObjectPath {
    private final S3Provider provider;

    S3Path(S3Provider provider, ObjectFileSystem system, @Nullable String bucket, String key) {
        super(system, bucket, key);
        this.provider = provider;
    }

    private S3Client client() {
        return provider.client();
    }

    @Override
    public @Nullable RemoteObject find() {
        return key().isEmpty() ? null : client().find(authority(), key());
    }

    @Override
    protected boolean isFolder() {
        // Asks also for the bucket alone, which must be there.
        S3Client.Page below = client().list(authority(), prefix(), "", "", 1);
        return !below.objects().isEmpty() || key().isEmpty();
    }

    @Override
    protected void scan(BiConsumer<String, RemoteObject> to) {
        pages(
                "",
                page -> page.objects()
                        .forEach(each -> to.accept(each.key().substring(prefix().length()), each.object())));
    }

    private void pages(String delimiter, Consumer<S3Client.Page> to) {
        var seen = new HashSet<String>();
        String next = "";
        do {
            S3Client.Page page = client().list(authority(), prefix(), delimiter, next, Integer.MAX_VALUE);
            to.accept(page);
            next = page.next();
            if (!seen.add(next)) {
                throw new RemoteException(
                        "[" + this + "] the storage's listing never ends: it repeated a continuation token");
            }
        } while (!next.isEmpty());
    }

    @Override
    protected List<String> children() {
        var names = new ArrayList<String>();
        pages("/", page -> {
            var keys = new ArrayList<>(page.folders());
            page.objects().forEach(each -> keys.add(each.key()));
            for (String key : keys) {
                String name = key.substring(prefix().length()).replaceAll("/$", "");
                if (!name.isEmpty()) {
                    names.add(name);
                }
            }
        });
        return names;
    }

    @Override
    public Reader open(RemoteObject object, long from, long length) {
        Objects.checkFromIndexSize(from, length, object.size());
        return new S3Reader(client(), Request.of("GET", authority(), key()), object, from, length);
    }

    @Override
    public String compare(RemoteObject object, Path copy) {
        return ObjectCheck.compare(client(), authority(), key(), object, copy);
    }

    @Override
    public void put(Path file, LongConsumer sent) {
        new Upload(client(), authority(), key(), sent).run(file);
    }
}
