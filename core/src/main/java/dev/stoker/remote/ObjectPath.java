package dev.stoker.remote;

import dev.stoker.StokerException;
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
import org.jspecify.annotations.Nullable;

/**
 * What the addresses of all remote storage have in common: {@code scheme://authority/key}, or a name to be resolved
 * against one. A key is any text: nothing in it is normalised, so {@code ..} means no folder above, and two slashes are
 * not one.
 */
public abstract class ObjectPath implements RemotePath {
    private final ObjectFileSystem system;
    private final @Nullable String authority;
    private final String key;

    /** @param authority null for a name alone */
    protected ObjectPath(ObjectFileSystem system, @Nullable String authority, String key) {
        this.system = system;
        this.authority = authority;
        this.key = key;
    }

    /** Tells every object below this address by its name from here, in any order. */
    protected abstract void scan(BiConsumer<String, RemoteObject> to);

    /** The names of what is right below this address, objects and folders. */
    protected abstract List<String> children();

    /** Whether there is something below this address. */
    protected abstract boolean isFolder();

    /** What stands between the scheme and the key, such as a bucket. */
    protected final String authority() {
        return Objects.requireNonNull(authority, "a name alone is not an address");
    }

    protected final String key() {
        return key;
    }

    /** What the keys of all objects below begin with. */
    protected final String prefix() {
        return key.isEmpty() ? "" : key + "/";
    }

    private record Listed(String name, RemoteObject object) {
        byte[] bytes() {
            return name.getBytes(StandardCharsets.UTF_8);
        }
    }

    @Override
    public final void list(BiConsumer<String, RemoteObject> to) {
        var found = new ArrayList<Listed>();
        scan((name, object) -> found.add(new Listed(name, object)));
        // Nearly all storage lists in this order already, and sorting what is sorted costs one look.
        found.sort((a, b) -> Arrays.compareUnsigned(a.bytes(), b.bytes()));
        found.forEach(each -> to.accept(each.name(), each.object()));
    }

    @Override
    public final ObjectPath below(String name) {
        return system.path(authority, prefix() + name);
    }

    // ---- a path as any other

    @Override
    public final FileSystem getFileSystem() {
        return system;
    }

    @Override
    public final boolean isAbsolute() {
        return authority != null;
    }

    @Override
    public final @Nullable Path getRoot() {
        return authority == null ? null : system.path(authority, "");
    }

    @Override
    public final @Nullable Path getFileName() {
        return key.isEmpty() ? null : system.path(null, key.substring(key.lastIndexOf('/') + 1));
    }

    @Override
    public final @Nullable Path getParent() {
        int slash = key.lastIndexOf('/');
        if (slash < 0) {
            return key.isEmpty() ? null : getRoot();
        }
        return system.path(authority, key.substring(0, slash));
    }

    private boolean isBeside(ObjectPath that) {
        return system.scheme().equals(that.system.scheme()) && Objects.equals(authority, that.authority);
    }

    private List<String> names() {
        return key.isEmpty() ? List.of() : List.of(key.split("/", -1));
    }

    @Override
    public final int getNameCount() {
        return names().size();
    }

    @Override
    public final Path getName(int index) {
        return subpath(index, index + 1);
    }

    @Override
    public final Path subpath(int from, int to) {
        return system.path(null, String.join("/", names().subList(from, to)));
    }

    @Override
    public final boolean startsWith(Path other) {
        return other instanceof ObjectPath that
                && isBeside(that)
                && (key.equals(that.key) || key.startsWith(that.prefix()));
    }

    @Override
    public final boolean endsWith(Path other) {
        return equals(other)
                || (other instanceof ObjectPath that && !that.isAbsolute() && key.endsWith("/" + that.key));
    }

    @Override
    public final Path normalize() {
        return this;
    }

    @Override
    public final Path resolve(Path other) {
        if (other.isAbsolute()) {
            return other;
        }
        return other.toString().isEmpty() ? this : below(other.toString());
    }

    @Override
    public final Path relativize(Path other) {
        if (!(other instanceof ObjectPath that) || !that.startsWith(this)) {
            throw new IllegalArgumentException(other + " is not below " + this);
        }
        return system.path(null, that.key.substring(Math.min(that.key.length(), prefix().length())));
    }

    @Override
    public final URI toUri() {
        try {
            return new URI(system.scheme(), authority(), "/" + key, null, null);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public final Path toAbsolutePath() {
        if (authority == null) {
            throw new StokerException(
                    "'" + key + "' is not an address; it should begin with " + system.scheme() + "://");
        }
        return this;
    }

    @Override
    public final Path toRealPath(LinkOption... options) {
        return toAbsolutePath();
    }

    @Override
    public final WatchKey register(
            WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
        throw new StokerException(system.scheme() + ":// does not report changes");
    }

    @Override
    public final int compareTo(Path other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof ObjectPath that && isBeside(that) && key.equals(that.key);
    }

    @Override
    public final int hashCode() {
        return Objects.hash(system.scheme(), authority, key);
    }

    @Override
    public final String toString() {
        return authority == null ? key : system.scheme() + "://" + authority + (key.isEmpty() ? "" : "/" + key);
    }
}
