package dev.stoker.remote;

import dev.stoker.StokerException;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What {@link java.nio.file.Files} can ask of remote storage: whether something is there, how large, what is below, its
 * bytes. {@link RemotePath#of} finds those that are named in {@code META-INF/services} of their modules.
 */
public abstract class ObjectProvider extends FileSystemProvider {
    private final Map<String, ObjectFileSystem> systems = new ConcurrentHashMap<>();

    /** The schemes of all addresses that it knows, in lower case. */
    protected abstract List<String> schemes();

    /**
     * Makes a path.
     *
     * @param authority null for a name alone
     */
    protected abstract ObjectPath path(ObjectFileSystem system, @Nullable String authority, String key);

    @Override
    public final String getScheme() {
        return schemes().getFirst();
    }

    @Override
    public final FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
        throw new UnsupportedOperationException("there is one, see getFileSystem");
    }

    @Override
    public final ObjectFileSystem getFileSystem(URI uri) {
        return systems.computeIfAbsent(
                uri.getScheme().toLowerCase(Locale.ROOT), scheme -> new ObjectFileSystem(this, scheme));
    }

    @Override
    public ObjectPath getPath(URI uri) {
        String authority = uri.getAuthority() == null ? "" : uri.getAuthority();
        String key = uri.getPath() == null ? "" : uri.getPath();
        String bare = key.startsWith("/") ? key.substring(1) : key;
        return path(getFileSystem(uri), authority, bare.endsWith("/") ? bare.substring(0, bare.length() - 1) : bare);
    }

    private static ObjectPath path(Path path) {
        return (ObjectPath) path.toAbsolutePath();
    }

    @Override
    public final SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public final FileChannel newFileChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        for (OpenOption option : options) {
            if (option != StandardOpenOption.READ) {
                throw refused(path, "written piece by piece");
            }
        }
        RemoteObject object = path(path).find();
        if (object == null) {
            throw new NoSuchFileException(path.toString());
        }
        return new ObjectChannel(path(path), object);
    }

    private static StokerException refused(Path path, String what) {
        return new StokerException(path, "what is on remote storage cannot be " + what + "; give a place on a disk");
    }

    @Override
    public final DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        ObjectPath above = path(folder);
        var found = new ArrayList<Path>();
        for (String name : above.children()) {
            if (filter.accept(above.below(name))) {
                found.add(above.below(name));
            }
        }
        return new Listing(found);
    }

    private record Listing(List<Path> paths) implements DirectoryStream<Path> {
        @Override
        public Iterator<Path> iterator() {
            return paths.iterator();
        }

        @Override
        public void close() {}
    }

    @Override
    public final void createDirectory(Path folder, FileAttribute<?>... attributes) {
        throw refused(folder, "made folders");
    }

    @Override
    public final void delete(Path path) {
        throw refused(path, "deleted by Stoker");
    }

    @Override
    public final void copy(Path source, Path target, CopyOption... options) {
        throw refused(source, "copied like that");
    }

    @Override
    public final void move(Path source, Path target, CopyOption... options) {
        throw refused(source, "renamed");
    }

    @Override
    public final boolean isSameFile(Path a, Path b) {
        return a.equals(b);
    }

    @Override
    public final boolean isHidden(Path path) {
        return false;
    }

    @Override
    public final FileStore getFileStore(Path path) {
        throw refused(path, "on a disk");
    }

    @Override
    public final void checkAccess(Path path, AccessMode... modes) throws IOException {
        readAttributes(path, BasicFileAttributes.class);
    }

    @Override
    public final <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        return null;
    }

    @Override
    public final <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        ObjectPath at = path(path);
        RemoteObject object = at.find();
        if (object == null && !at.isFolder()) {
            throw new NoSuchFileException(path.toString());
        }
        return type.cast(new ObjectAttributes(object));
    }

    /** Objects have no owner, mode or inode: as {@link java.nio.file.Files} has it, such a question is not supported. */
    @Override
    public final Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) {
        throw new UnsupportedOperationException(
                "[" + path + "] is on remote storage, which has no '" + attributes + "'");
    }

    @Override
    public final void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
        throw refused(path, "changed");
    }
}
