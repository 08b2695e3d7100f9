package dev.stoker.s3;

import dev.stoker.StokerException;
import dev.stoker.memory.RemoteObject;
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
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What {@link java.nio.file.Files} can ask of S3: whether something is there, how large, what is below, its bytes. */
public final class S3Provider extends FileSystemProvider {
    static final String SCHEME = "s3";
    private static final String BUCKET = "[A-Za-z0-9][A-Za-z0-9._-]{0,254}";

    private final S3FileSystem system;

    /** What the JDK finds: the S3 that this process's variables name. */
    public S3Provider() {
        this.system = new S3FileSystem(this, null);
    }

    /** For an S3 that is known. */
    S3Provider(S3Client client) {
        this.system = new S3FileSystem(this, client);
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
        throw new UnsupportedOperationException("there is one, see getFileSystem");
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return system;
    }

    @Override
    public Path getPath(URI uri) {
        String bucket = uri.getAuthority();
        if (bucket == null || !bucket.matches(BUCKET)) {
            throw new StokerException("[" + SCHEME + "://" + (bucket == null ? "" : bucket)
                    + "] should name a bucket, as s3://bucket/name");
        }
        String key = uri.getPath() == null ? "" : uri.getPath();
        String bare = key.startsWith("/") ? key.substring(1) : key;
        return new S3Path(system, bucket, bare.endsWith("/") ? bare.substring(0, bare.length() - 1) : bare);
    }

    private static S3Path path(Path path) {
        return (S3Path) path.toAbsolutePath();
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        for (OpenOption option : options) {
            if (option != StandardOpenOption.READ) {
                throw refused(path, "written piece by piece");
            }
        }
        RemoteObject object = path(path).find();
        if (object == null) {
            throw new NoSuchFileException(path.toString());
        }
        return new S3Channel(path(path), object);
    }

    private static StokerException refused(Path path, String what) {
        return new StokerException("[" + path + "] objects on S3 cannot be " + what + "; give a place on a disk");
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        S3Path above = path(folder);
        var found = new ArrayList<Path>();
        String next = "";
        do {
            S3Client.Page page = above.client().list(above.bucket(), above.prefix(), "/", next, Integer.MAX_VALUE);
            var keys = new ArrayList<>(page.folders());
            page.objects().forEach(each -> keys.add(each.key()));
            for (String key : keys) {
                String name = key.substring(above.prefix().length()).replaceAll("/$", "");
                if (!name.isEmpty() && filter.accept(above.below(name))) {
                    found.add(above.below(name));
                }
            }
            next = page.next();
        } while (!next.isEmpty());
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
    public void createDirectory(Path folder, FileAttribute<?>... attributes) {
        throw refused(folder, "made folders");
    }

    @Override
    public void delete(Path path) {
        throw refused(path, "deleted by Stoker");
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) {
        throw refused(source, "copied like that");
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) {
        throw refused(source, "renamed");
    }

    @Override
    public boolean isSameFile(Path a, Path b) {
        return a.equals(b);
    }

    @Override
    public boolean isHidden(Path path) {
        return false;
    }

    @Override
    public FileStore getFileStore(Path path) {
        throw refused(path, "on a disk");
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        readAttributes(path, BasicFileAttributes.class);
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        return null;
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        S3Path at = path(path);
        RemoteObject object = at.find();
        if (object == null) {
            S3Client.Page below = at.client().list(at.bucket(), at.prefix(), "", "", 1);
            if (below.objects().isEmpty() && !at.key().isEmpty()) {
                throw new NoSuchFileException(path.toString());
            }
        }
        return type.cast(new S3Attributes(object));
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) {
        throw refused(path, "described like that");
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
        throw refused(path, "changed");
    }
}
