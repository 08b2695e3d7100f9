package dev.stoker.remote;

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

/** All addresses of one scheme. */
public final class ObjectFileSystem extends FileSystem {
    private final ObjectProvider provider;
    private final String scheme;

    ObjectFileSystem(ObjectProvider provider, String scheme) {
        this.provider = provider;
        this.scheme = scheme;
    }

    public String scheme() {
        return scheme;
    }

    ObjectPath path(@Nullable String authority, String key) {
        return provider.path(this, authority, key);
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

    /** A name alone, to be resolved against an address. */
    @Override
    public Path getPath(String first, String... more) {
        return path(null, more.length == 0 ? first : first + "/" + String.join("/", more));
    }

    /** Patterns of one name, not of paths. */
    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
        PathMatcher local = FileSystems.getDefault().getPathMatcher(syntaxAndPattern);
        return path -> local.matches(Path.of(path.toString()));
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        throw new StokerException(scheme + ":// has no users and groups of files here");
    }

    @Override
    public WatchService newWatchService() {
        throw new StokerException(scheme + ":// does not report changes");
    }
}
