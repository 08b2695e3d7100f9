package dev.stoker.hadoop;

import dev.stoker.StokerException;
import dev.stoker.remote.ObjectFileSystem;
import dev.stoker.remote.ObjectPath;
import dev.stoker.remote.RemoteObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** {@code hdfs://host:port/name} and the like, or a name to be resolved against one. */
final class HadoopPath extends ObjectPath {
    private final HadoopProvider provider;
    private final String scheme;

    HadoopPath(HadoopProvider provider, ObjectFileSystem system, @Nullable String authority, String key) {
        super(system, authority, key);
        this.provider = provider;
        this.scheme = system.scheme();
    }

    private HadoopFiles files() {
        return provider.files(scheme, authority());
    }

    @Override
    public @Nullable RemoteObject find() {
        return files().find(key());
    }

    @Override
    protected boolean isFolder() {
        return files().isFolder(key());
    }

    @Override
    protected void scan(BiConsumer<String, RemoteObject> to) {
        files().scan(key(), to);
    }

    @Override
    protected List<String> children() {
        return files().children(key());
    }

    @Override
    public Reader open(RemoteObject object, long from, long length) {
        Objects.checkFromIndexSize(from, length, object.size());
        return files().read(key(), object, from, length);
    }

    /** Hadoop has compared every block while it was read; what it keeps of a whole file depends on its blocks. */
    @Override
    public String compare(RemoteObject object, Path copy) {
        return "";
    }

    @Override
    public void put(Path file, LongConsumer sent) {
        throw new StokerException(this, "Hadoop's filesystems are only read; give an OUT on a disk");
    }
}
