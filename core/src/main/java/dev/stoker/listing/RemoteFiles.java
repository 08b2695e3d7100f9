package dev.stoker.listing;

import dev.stoker.io.Checksum;
import dev.stoker.remote.RemoteObject;
import dev.stoker.remote.RemotePath;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Objects on remote storage below one address. Those of a listing are known by it and need no request to look at. */
final class RemoteFiles implements FileAccess {
    private final RemotePath root;
    /** Size and version of each object as text, in the order of the listing; null if nothing was listed. */
    private final @Nullable ListedValues listed;

    /** Files of which a first part was read: whoever reads on does so through the same request. */
    private final Map<Long, Begun> begun = new ConcurrentHashMap<>();

    private record Begun(long position, RemotePath.Reader reader) {}

    private RemoteFiles(RemotePath root, @Nullable ListedValues listed) {
        this.root = root;
        this.listed = listed;
    }

    /** Objects that are found one by one, by the names of a manifest. */
    static RemoteFiles named(RemotePath root) {
        return new RemoteFiles(root, null);
    }

    /**
     * Lists what is below an address.
     *
     * @param names gets the names; those that stand for folders are left out
     * @param filter says which others are
     */
    static RemoteFiles list(RemotePath root, ListedValues names, SourceFilter filter) {
        var versions = new ListedValues();
        try {
            root.list((name, object) -> {
                byte[] path = name.getBytes(StandardCharsets.UTF_8);
                if (!name.isEmpty() && !name.endsWith("/") && filter.takes(path)) {
                    names.add(path);
                    versions.add((object.size() + " " + object.version()).getBytes(StandardCharsets.UTF_8));
                }
            });
            return new RemoteFiles(root, versions);
        } catch (RuntimeException e) {
            versions.close();
            throw e;
        }
    }

    /** The same without some of those that were listed. */
    RemoteFiles without(Set<Long> numbers) {
        return listed == null ? this : new RemoteFiles(root, listed.without(numbers));
    }

    private RemotePath path(byte[] name) {
        return root.below(new String(name, StandardCharsets.UTF_8));
    }

    private RemoteObject object(long number, byte[] name) throws IOException {
        if (listed != null) {
            String text = new String(listed.get(number), StandardCharsets.UTF_8);
            int space = text.indexOf(' ');
            return new RemoteObject(Long.parseLong(text.substring(0, space)), text.substring(space + 1));
        }
        RemoteObject found = path(name).find();
        if (found == null) {
            throw new NoSuchFileException(path(name).toString());
        }
        return found;
    }

    private static Stat stat(RemoteObject object) {
        byte[] version = object.version().getBytes(StandardCharsets.UTF_8);
        long hash = Integer.toUnsignedLong(object.version().hashCode());
        return new Stat(object.size(), (long) Checksum.of(MemorySegment.ofArray(version)) << Integer.SIZE | hash);
    }

    @Override
    public Stat stat(long number, byte[] name, boolean open) throws IOException {
        return stat(object(number, name));
    }

    @Override
    public Stat read(long number, byte[] name, Stat before, long from, MemorySegment to) throws IOException {
        RemoteObject object = object(number, name);
        Stat now = stat(object);
        if (now.equals(before)) {
            read(number, path(name), object, from, to);
        }
        return now;
    }

    /** Large files are read in parts, from front to back: that is one request, not one for each part. */
    private void read(long number, RemotePath path, RemoteObject object, long from, MemorySegment to) {
        Begun known = begun.remove(number);
        boolean goesOn = known != null && known.position == from;
        if (!goesOn) {
            drop(known);
        }
        long end = from + to.byteSize();
        if (from > 0 && !goesOn) {
            path.read(object, from, to);
            return;
        }
        RemotePath.Reader reader = known != null && goesOn ? known.reader : path.open(object, 0, object.size());
        try {
            reader.read(to);
        } catch (RuntimeException e) {
            reader.close();
            throw e;
        }
        if (end < object.size()) {
            drop(begun.put(number, new Begun(end, reader)));
        } else {
            reader.close();
        }
    }

    private static void drop(@Nullable Begun unused) {
        if (unused != null) {
            unused.reader.close();
        }
    }

    @Override
    public void close() {
        begun.values().forEach(RemoteFiles::drop);
        if (listed != null) {
            listed.close();
        }
    }
}
