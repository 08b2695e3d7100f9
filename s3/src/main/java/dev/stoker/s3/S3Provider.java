package dev.stoker.s3;

import dev.stoker.StokerException;
import dev.stoker.remote.ObjectFileSystem;
import dev.stoker.remote.ObjectPath;
import dev.stoker.remote.ObjectProvider;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the paths of all buckets of one S3. */
public final class S3Provider extends ObjectProvider {
    private static final String BUCKET = "[A-Za-z0-9][A-Za-z0-9._-]{0,254}";

    private @Nullable S3Client client;

    /** The S3 that this process's variables name. */
    public S3Provider() {}

    /** For an S3 that is known. */
    S3Provider(S3Client client) {
        this.client = client;
    }

    /** Made when it is first needed: an address alone needs no credentials. */
    synchronized S3Client client() {
        S3Client made = client;
        if (made == null) {
            made = S3Client.ofProcess();
            client = made;
        }
        return made;
    }

    @Override
    protected List<String> schemes() {
        return List.of("s3");
    }

    @Override
    protected S3Path path(ObjectFileSystem system, @Nullable String bucket, String key) {
        return new S3Path(this, system, bucket, key);
    }

    @Override
    public ObjectPath getPath(URI uri) {
        String bucket = uri.getAuthority();
        if (bucket == null || !bucket.matches(BUCKET)) {
            throw new StokerException(
                    "[s3://" + (bucket == null ? "" : bucket) + "] should name a bucket, such as s3://bucket/name");
        }
        return super.getPath(uri);
    }
}
