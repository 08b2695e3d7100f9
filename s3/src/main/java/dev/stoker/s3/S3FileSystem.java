package dev.stoker.s3;

import dev.stoker.StokerException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All buckets of the S3 that this process's variables name. */
final class S3FileSystem extends FileSystem {
    private final S3Provider provider;
    private @Nullable S3Client client;

    /** @param client null to make one when it is needed */
    S3FileSystem(S3Provider provider, @Nullable S3Client client) {
        this.provider = provider;
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
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException("it is open as long as the process");
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public String getSeparator() {
        return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return List.of();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return List.of();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return Set.of("basic");
    }

    /** A name without a bucket, to be resolved against an address. */
    @Override
    public Path getPath(String first, String... more) {
        return new S3Path(this, null, more.length == 0 ? first : first + "/" + String.join("/", more));
    }

    /** Patterns of one name, not of paths. */
    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
        PathMatcher local = FileSystems.getDefault().getPathMatcher(syntaxAndPattern);
        return path -> local.matches(Path.of(path.toString()));
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        throw new StokerException("S3 has no users and groups of files");
    }

    @Override
    public WatchService newWatchService() {
        throw new StokerException("S3 does not tell of changes");
    }
}
