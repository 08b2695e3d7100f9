package dev.stoker.remote;

import dev.stoker.UsageException;
import dev.stoker.os.FileErrors;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of an object on storage that is no file system of this machine, such as {@code s3://bucket/key}, or of all
 * objects below it. It is a Path, so that whoever only asks whether something is there, or opens a small file, need not
 * know; what is special to such storage is here.
 *
 * <p>Who speaks to the storage is an {@link ObjectProvider}, found by the scheme when the first address is met. All
 * methods throw {@link RemoteException} if the storage does not answer or refuses. Any number of threads may use one.
 */
public interface RemotePath extends Path {
    /** Reads a part of an object from front to back. For one thread. */
    interface Reader extends AutoCloseable {
        /** Fills the memory with the next bytes. */
        void read(MemorySegment to);

        @Override
        void close();
    }

    /** The object of this very name; null if there is none. */
    @Nullable
    RemoteObject find();

    /** Tells every object below this address by its name from here, in bytewise order of the names. */
    void list(BiConsumer<String, RemoteObject> to);

    /** The object of a name that {@link #list} told. */
    RemotePath below(String name);

    /** Opens a part of an object; another one that has got its name since is noticed and refused. */
    Reader open(RemoteObject object, long from, long length);

    /** Compares a copy with the checksums that the storage keeps; returns their name, empty if it keeps none. */
    String compare(RemoteObject object, Path copy);

    /**
     * Stores a file under this name, in place of what is there. Nobody sees it before it is whole.
     *
     * @param sent is told the bytes of each part that is there
     */
    void put(Path file, LongConsumer sent);

    /** The object of this name, which must be there. */
    default RemoteObject require() {
        RemoteObject found = find();
        if (found == null) {
            throw FileErrors.cannotRead(this, new NoSuchFileException(toString()));
        }
        return found;
    }

    /** Reads a part of an object. */
    default void read(RemoteObject object, long from, MemorySegment to) {
        try (Reader reader = open(object, from, to.byteSize())) {
            reader.read(to);
        }
    }

    /** What a user names: an address with a scheme, or a file of this machine. */
    static Path of(String text) {
        Matcher address = Addresses.FORM.matcher(text);
        return address.matches()
                ? Addresses.path(text, address.group(1), address.group(2), address.group(3))
                : Path.of(text);
    }

    /**
     * Those who speak to storage, looked for when the first address is met. By the class loader of this class, not by
     * the JDK's list of installed ones: inside Spark, whose class loader has Stoker's jars, that does not know them.
     */
    final class Providers {
        private static final List<ObjectProvider> ALL =
                ServiceLoader.load(ObjectProvider.class, RemotePath.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();

        private Providers() {}
    }

    /** How addresses are read. */
    final class Addresses {
        /** Scheme, authority, and the rest with its slash. */
        private static final Pattern FORM =
                Pattern.compile("([a-z][a-z0-9+.-]+)://([^/]*)(.*)", Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

        private Addresses() {}

        private static Path path(String text, String scheme, String authority, String rest) {
            for (ObjectProvider provider : Providers.ALL) {
                if (provider.schemes().contains(scheme.toLowerCase(Locale.ROOT))) {
                    try {
                        return provider.getPath(new URI(scheme, authority, rest, null, null));
                    } catch (URISyntaxException | IllegalArgumentException e) {
                        throw new UsageException(
                                "[" + text + "] is not an address; it should be like s3://bucket/name", e);
                    }
                }
            }
            throw new UsageException(
                    text, scheme + ":// addresses are not supported here; give a file, a folder or s3://bucket/name");
        }
    }
}
