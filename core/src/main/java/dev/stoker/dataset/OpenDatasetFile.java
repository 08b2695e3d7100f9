package dev.stoker.dataset;

import dev.stoker.CorruptContainerException;
import dev.stoker.container.Container;
import dev.stoker.index.Column;
import dev.stoker.index.Placement;
import dev.stoker.io.Checksum;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import dev.stoker.os.Posix;
import dev.stoker.remote.RemoteObject;
import dev.stoker.remote.RemotePath;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One open file of a dataset, or a folder of loose files. Any number of threads may read it until it is closed, which
 * {@link DatasetFiles} does when nobody holds it.
 */
public final class OpenDatasetFile implements AutoCloseable {
    /** Direct reads begin and end at multiples of this, which is what any disk asks for at most. */
    public static final long DIRECT_ALIGNMENT = 4096;

    private final Path path;
    private final Samples samples;
    private final @Nullable Container container;
    /** For each field whether its values lie in the file itself, where a positional read finds them. */
    private final boolean[] isInFile;

    // What is asked for every sample, by field: the column is null, and the size 0, for loose files.
    private final @Nullable Column[] columns;
    private final long[] sizes;
    private final FieldType[] types;
    private final long[] widths;

    private final SharedDescriptor cached;
    private final SharedDescriptor direct;

    OpenDatasetFile(Path path, Samples samples) {
        this.path = path;
        this.samples = samples;
        this.cached = new SharedDescriptor(path, false);
        this.direct = new SharedDescriptor(path, true);
        int fields = samples.schema().size();
        this.isInFile = new boolean[fields];
        this.columns = new Column[fields];
        this.sizes = new long[fields];
        this.types = new FieldType[fields];
        this.widths = new long[fields];
        for (int f = 0; f < fields; f++) {
            types[f] = samples.schema().type(f);
            widths[f] = types[f].width();
        }
        if (samples instanceof Container opened
                && !opened.isRemote()
                && !isTree(opened)
                && !opened.index().hasBlocks()) {
            this.container = opened;
            for (int f = 0; f < fields; f++) {
                isInFile[f] = opened.index().placement(f).place() == Placement.Place.FILE;
                columns[f] = opened.column(f);
                sizes[f] = opened.bytes(f).byteSize();
            }
        } else {
            this.container = null;
        }
    }

    private static boolean isTree(Container container) {
        for (int f = 0; f < container.schema().size(); f++) {
            if (container.index().placement(f).place() == Placement.Place.TREE) {
                return true;
            }
        }
        return false;
    }

    public Path path() {
        return path;
    }

    public Samples samples() {
        return samples;
    }

    /** Whether there is nothing to map: every sample is a file of its own, or values are decoded or fetched. */
    public boolean isLoose() {
        return container == null;
    }

    public boolean isInFile(int field) {
        return isInFile[field];
    }

    /**
     * The bytes of a value, checked: what a damaged Index says never becomes a size of memory.
     *
     * @throws CorruptContainerException if the value does not lie in the file, or has another length than its type
     */
    public long length(long sample, int field) {
        long length = samples.length(sample, field);
        Column column = columns[field];
        if (column != null) {
            long offset = column.offset(sample);
            if (offset < 0 || length < 0 || offset > sizes[field] - length) {
                column.slice(sample); // which says what is wrong
            }
        }
        long expected = widths[field];
        if (expected < 0) {
            expected = types[field] instanceof FieldType.Array array
                    ? bytesOf(array, samples.shape(sample, field))
                    : length;
        }
        if (expected != length) {
            throw corrupt(sample, field, "its value should have " + expected + " bytes but has " + length);
        }
        return length;
    }

    private static long bytesOf(FieldType.Array array, long[] shape) {
        long bytes = array.dtype().bytes();
        for (long dimension : shape) {
            if (dimension < 0 || (dimension > 0 && bytes > Long.MAX_VALUE / dimension)) {
                return -1;
            }
            bytes *= dimension;
        }
        return bytes;
    }

    /** Where a value lies in the mapped file; valid until this is closed. Not for loose files. */
    public MemorySegment slice(long sample, int field) {
        return container().column(field).slice(sample);
    }

    /** Copies a value whose length is known, from the mapping. */
    public void copy(long sample, int field, MemorySegment to, long at, long length) {
        Container mapped = container;
        if (mapped == null) {
            samples.read(sample, field, 0, to.asSlice(at, length));
        } else {
            MemorySegment.copy(mapped.bytes(field), mapped.column(field).offset(sample), to, at, length);
        }
    }

    /** Reads a value whose length is known, past the mapping if it lies in the file. */
    public void read(long sample, int field, MemorySegment to, long at, long length) {
        if (!isInFile[field]) {
            copy(sample, field, to, at, length);
            return;
        }
        long offset = container().column(field).offset(sample);
        try {
            long read = Posix.read(cached.file(), to.asSlice(at, length), offset);
            requireAll(sample, field, read, length);
        } catch (IOException e) {
            throw unreadable(sample, field, e);
        }
    }

    /**
     * Reads a value past the page cache. Such a read goes whole sectors into memory that begins at one, so the value lies
     * somewhere in the thread's own memory.
     */
    public MemorySegment readDirect(long sample, int field, long length, LongFunction<MemorySegment> scratch) {
        long offset = container().column(field).offset(sample);
        long skipped = offset % DIRECT_ALIGNMENT;
        long sectors = (skipped + length + DIRECT_ALIGNMENT - 1) / DIRECT_ALIGNMENT;
        MemorySegment to = scratch.apply(sectors * DIRECT_ALIGNMENT);
        try {
            long read = Posix.read(direct.file(), to, offset - skipped, skipped + length);
            requireAll(sample, field, read - skipped, length);
        } catch (IOException e) {
            throw unreadable(sample, field, e);
        }
        return to.asSlice(skipped, length);
    }

    private void requireAll(long sample, int field, long read, long length) {
        if (read < length) {
            throw corrupt(
                    sample,
                    field,
                    "the file ended after " + Math.max(0, read) + " of " + length + " bytes; it became shorter");
        }
    }

    private CorruptContainerException unreadable(long sample, int field, IOException e) {
        var failure = corrupt(sample, field, "cannot be read: " + e.getMessage());
        failure.initCause(e);
        return failure;
    }

    /** Compares bytes that were read with the value's checksum; does nothing if it has none. */
    public void verify(long sample, int field, MemorySegment value) {
        Column column = samples instanceof Container opened ? opened.column(field) : null;
        if (column != null && column.hasChecksums()) {
            int found = Checksum.of(value);
            if (found != column.checksum(sample)) {
                throw corrupt(
                        sample,
                        field,
                        "checksum should be %08x but is %08x; the value is damaged"
                                .formatted(column.checksum(sample), found));
            }
        }
    }

    public void advise(long sample, int field, long length, Posix.Advice advice) {
        Posix.advise(container().bytes(field), container().column(field).offset(sample), length, advice);
    }

    /** Reads one byte of a value that is not empty, to see how long it takes. */
    public byte touch(long sample, int field) {
        return slice(sample, field).get(ValueLayout.JAVA_BYTE, 0);
    }

    public boolean isResident(long sample, int field, long length) {
        return Posix.isResident(
                container().bytes(field), container().column(field).offset(sample), length);
    }

    /** Random reads from here on: the system should not read ahead where the samples lie, only in the Index. */
    public void adviseRandom() {
        cached.adviseRandom();
        for (int f = 0; f < isInFile.length && !isLoose(); f++) {
            adviseRandom(f);
        }
    }

    private void adviseRandom(int field) {
        long last = samples.count() - 1;
        if (last >= 0 && isInFile[field]) {
            long from = container().column(field).offset(0);
            long to = container().column(field).offset(last) + samples.length(last, field);
            if (from >= 0 && from < to && to <= container().bytes(field).byteSize()) {
                Posix.advise(container().bytes(field), from, to - from, Posix.Advice.RANDOM);
            }
        }
    }

    public CorruptContainerException unreadable(long sample, int field, InternalError e) {
        FileErrors.requireFault(e);
        if (container != null) {
            return container.unreadable(sample, field, e);
        }
        var failure =
                corrupt(sample, field, "the mapped file could not be read; it became shorter, or its storage failed");
        failure.initCause(e);
        return failure;
    }

    CorruptContainerException corrupt(long sample, int field, String reason) {
        long offset = container == null
                ? CorruptContainerException.NOWHERE
                : container.column(field).offset(sample);
        return new CorruptContainerException(
                path.toString(),
                sample,
                offset,
                "field '" + samples.schema().fields().get(field).name() + "': " + reason);
    }

    /** Where a value lies in its file, and the bytes of the file, for those who copy by themselves. */
    public MemorySegment bytes(int field) {
        return container().bytes(field);
    }

    public long offset(long sample, int field) {
        return container().column(field).offset(sample);
    }

    /** The open file, for positional reads through the page cache. */
    public int descriptor() throws IOException {
        return cached.file();
    }

    private Container container() {
        if (container == null) {
            throw new IllegalStateException("[" + path + "] loose files are not mapped");
        }
        return container;
    }

    /** The file as the system describes it now. */
    static Posix.Stat stat(Path path) {
        if (path instanceof RemotePath remote) {
            RemoteObject object = FileProbe.isFolder(remote) ? null : remote.require();
            return object == null
                    ? new Posix.Stat(Posix.Kind.FOLDER, 0, 0, 0, 0)
                    : new Posix.Stat(
                            Posix.Kind.FILE,
                            object.size(),
                            0,
                            0,
                            object.version().hashCode());
        }
        try {
            return Posix.stat(Posix.HERE, path.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw FileErrors.cannotRead(path, e);
        }
    }

    @Override
    public void close() {
        cached.close();
        direct.close();
        samples.close();
    }
}
