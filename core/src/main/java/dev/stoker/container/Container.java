package dev.stoker.container;

import dev.stoker.CorruptContainerException;
import dev.stoker.PublicApi;
import dev.stoker.block.BlockCache;
import dev.stoker.block.BlockReader;
import dev.stoker.block.BlockTable;
import dev.stoker.block.ByteReader;
import dev.stoker.block.RemoteByteReader;
import dev.stoker.format.Formats;
import dev.stoker.index.Column;
import dev.stoker.index.ContainerIdentity;
import dev.stoker.index.Index;
import dev.stoker.index.Placement;
import dev.stoker.io.ByteSource;
import dev.stoker.io.Checksum;
import dev.stoker.io.MappedFile;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import dev.stoker.os.FileStamp;
import dev.stoker.sample.Field;
import dev.stoker.sample.Omission;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An open container of any format: bytes plus an Index. {@link #value} is the hot path, the same for every format: a
 * slice of a mapped file. Of a container on remote storage the Index is here, and values are fetched.
 *
 * <pre>{@code
 * try (Container photos = Container.open(Path.of("photos.arrow"))) {
 *     int data = photos.schema().place("data");
 *     MemorySegment jpeg = photos.value(17, data); // a slice of the mapped file, not a copy
 * }
 * }</pre>
 *
 * <p>Any number of threads may read. After {@link #close} every slice is invalid, and using one throws {@link
 * IllegalStateException}.
 */
@PublicApi
public final class Container implements Samples {
    private final Path path;
    private final Index index;
    private final @Nullable MappedFile file;
    private final @Nullable RemoteByteReader remote;
    private final Column[] columns;
    private final ValueLocator places;
    private final boolean[] isTree;
    /** For each field, who decodes or fetches its values; null where they lie in a mapped file as they are. */
    private final @Nullable ByteReader[] readers;

    private final @Nullable BlockReader blocks;

    private final int key;

    /** Takes over what is given, to be closed with this. */
    Container(Path path, Index index, @Nullable MappedFile file, @Nullable RemoteByteReader remote) {
        this.path = path;
        this.index = index;
        this.file = file;
        this.remote = remote;
        MemorySegment bytes = file == null ? index.bytes() : file.bytes();
        int fields = index.schema().size();
        this.columns = new Column[fields];
        this.isTree = new boolean[fields];
        this.readers = new ByteReader[fields];
        this.key = index.schema().find(Field.KEY);
        this.places = new ValueLocator(path, index, columns, sample -> text(sample, key));
        try {
            for (int f = 0; f < fields; f++) {
                isTree[f] = index.placement(f).place() == Placement.Place.TREE;
                checkPlace(f);
                columns[f] = remote == null ? index.column(f, bytes) : index.remoteColumn(f, remote.size());
            }
            this.blocks = index.hasBlocks() ? reader(bytes) : null;
            for (int f = 0; f < fields; f++) {
                readers[f] = switch (index.placement(f).place()) {
                    case BLOCKS -> blocks;
                    case FILE -> remote;
                    case INDEX, TREE -> null;
                };
            }
        } catch (RuntimeException e) {
            index.close();
            throw e;
        }
    }

    private BlockReader reader(MemorySegment bytes) {
        BlockTable table = index.blocks();
        return new BlockReader(
                table, index.bytes(), new BlockFiles(path, bytes, remote, table.files()), BlockCache.SHARED);
    }

    /** A folder has no bytes of its own, and a file has no files in it. */
    private void checkPlace(int field) {
        boolean isFolder = file == null && remote == null && !index.isContainer();
        Placement.Place wrong = isFolder ? Placement.Place.FILE : Placement.Place.TREE;
        if (index.placement(field).place() == wrong) {
            throw new CorruptContainerException(
                    path.toString(),
                    CorruptContainerException.NOWHERE,
                    "it is a " + (isFolder ? "folder" : "file") + ", so its Index should not place field '"
                            + index.schema().fields().get(field).name() + "' in a "
                            + (isFolder ? "file" : "folder"));
        }
    }

    /** Opens a container by its bytes; its Index is found, or derived once and kept. */
    public static Container open(Path path) {
        return open(path, null);
    }

    /**
     * Opens a container.
     *
     * @param format the name of its format, or null to tell it by its bytes
     */
    public static Container open(Path place, @Nullable String format) {
        return ContainerOpener.open(place, format);
    }

    /** Opens a container and leaves nothing beside it: an Index that has to be derived is kept in the user's cache. */
    public static Container openToLook(Path path) {
        return ContainerOpener.openToLook(path);
    }

    /**
     * Opens a container whose samples are to be written elsewhere. What its Index holds is compared with its checksums
     * and with the container now, for labels have no others; the other values are {@linkplain #verify compared} when they are read.
     */
    public static Container openToCopy(Path path) {
        Container container = open(path);
        try {
            container.verifyIndex();
            return container;
        } catch (RuntimeException e) {
            container.close();
            throw e;
        }
    }

    /**
     * Compares what the Index holds with its checksums, and with the container where that holds it too. Takes as long as
     * looking the container through.
     */
    public void verifyIndex() {
        index.verify();
        if (EditDetector.hasCopies(this)) {
            EditDetector.compare(this);
        }
    }

    /**
     * Opens a container to look for damage: by the Index from packing that is beside it, if that is of a file of this
     * length, also where head or tail, by which an Index knows its container, are not as they were.
     */
    public static Container openDamaged(Path place) {
        return ContainerOpener.openDamaged(place);
    }

    /** Opens a container by looking it through, past any Index that is there, and keeps nothing. */
    public static Container openAnew(Path path, String format) {
        return FileProbe.isFolder(path)
                ? ContainerOpener.openFolderAnew(path, Formats.named(format))
                : ContainerOpener.openAnew(MappedFile.open(path), format);
    }

    /** The same with a file that is mapped already; it is closed with the container, or at once if it is none. */
    public static Container openAnew(MappedFile file, String format) {
        return ContainerOpener.openAnew(file, format);
    }

    /**
     * A container whose Index is open already; both are closed with it.
     *
     * @param file null if the Index is in the container itself
     */
    public static Container of(Path path, Index index, @Nullable MappedFile file) {
        return file == null ? ContainerOpener.requireContainer(path, index) : new Container(path, index, file, null);
    }

    /** Whether head and tail of the container are those that its Index was made for. */
    public boolean fitsItsIndex() {
        return file == null || ContainerIdentity.of(path).equals(index.identity());
    }

    public Path path() {
        return path;
    }

    public Index index() {
        return index;
    }

    /** The name of the format. */
    public String format() {
        return index.format();
    }

    @Override
    public Schema schema() {
        return index.schema();
    }

    @Override
    public List<Split> splits() {
        return index.splits();
    }

    @Override
    public long count() {
        return index.samples();
    }

    public Column column(int field) {
        return columns[field];
    }

    /** Whether its bytes are on remote storage, so that values of the container's own file are fetched. */
    public boolean isRemote() {
        return remote != null;
    }

    /** The whole file that a field's offsets count in; valid until the container is closed. Not of a remote one. */
    public MemorySegment bytes(int field) {
        if (readers[field] == remote && remote != null) {
            throw new IllegalStateException("[" + path + "] is not on this machine");
        }
        if (file == null || index.placement(field).place() == Placement.Place.INDEX) {
            return index.bytes();
        }
        return file.bytes();
    }

    /** A value where it lies; valid until the container is closed. */
    public MemorySegment value(long sample, int field) {
        if (isTree[field]) {
            return places.value(sample, field);
        }
        ByteReader reader = readers[field];
        return reader == null ? columns[field].slice(sample) : decoded(reader, sample, columns[field]);
    }

    private static MemorySegment decoded(ByteReader reader, long sample, Column column) {
        try {
            return reader.read(column.offset(sample), column.length(sample));
        } catch (CorruptContainerException e) {
            throw e.at(sample);
        }
    }

    /** Whether a field's values have no place in a mapped file: they are decoded or fetched. */
    public boolean isInBlocks(int field) {
        return readers[field] != null;
    }

    /**
     * The bytes in which the values of a field have their places, to be read past the mapping; closed by the caller. Null
     * where values are decoded, fetched, or files of their own.
     */
    public @Nullable ByteSource stored(int field) {
        return remote == null ? places.stored(field) : null;
    }

    /** Where the rest of a value is stored, as it is; null where it is compressed, or on remote storage. */
    public @Nullable ValueLocation place(long sample, int field, long from) {
        return remote == null ? places.place(sample, field, from) : null;
    }

    /** A value of text. */
    public String text(long sample, int field) {
        return new String(value(sample, field).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    @Override
    public long length(long sample, int field) {
        return columns[field].length(sample);
    }

    @Override
    public long[] shape(long sample, int field) {
        return columns[field].shape(sample);
    }

    @Override
    public void read(long sample, int field, long from, MemorySegment to) {
        if (remote != null && readers[field] == remote) {
            Objects.checkFromIndexSize(from, to.byteSize(), columns[field].length(sample));
            remote.read(columns[field].offset(sample) + from, to);
            return;
        }
        if (isTree[field]) {
            places.read(sample, field, from, to);
            return;
        }
        MemorySegment value = value(sample, field);
        try {
            MemorySegment.copy(value, from, to, 0, to.byteSize());
        } catch (InternalError e) {
            throw unreadable(sample, field, e);
        }
    }

    /** Compares a value with its checksum; true also if it has none. */
    public boolean isIntact(long sample, int field) {
        Column column = columns[field];
        try {
            return !column.hasChecksums() || Checksum.of(value(sample, field)) == column.checksum(sample);
        } catch (InternalError e) {
            throw unreadable(sample, field, e);
        }
    }

    @Override
    public void verify(long sample, int field, IntSupplier checksum) {
        Column column = columns[field];
        if (column.hasChecksums() && checksum.getAsInt() != column.checksum(sample)) {
            throw damaged(sample, field);
        }
    }

    /** The sentence for a value whose checksum does not match. */
    public CorruptContainerException damaged(long sample, int field) {
        return new CorruptContainerException(
                path.toString(),
                CorruptContainerException.NOWHERE,
                describe(sample) + ", field '" + schema().fields().get(field).name()
                        + "': the checksum does not match; the value is damaged (stoker verify lists all that is, and with"
                        + " --repair-from SRC repairs it)");
    }

    /** The sentence for a mapped file that shrank or that the storage failed to read: the JVM tells it by an error. */
    public CorruptContainerException unreadable(long sample, int field, InternalError e) {
        FileErrors.requireFault(e);
        var failure = new CorruptContainerException(
                path.toString(),
                sample,
                columns[field].offset(sample),
                "the mapped file could not be read here; it became shorter, or its storage failed");
        failure.initCause(e);
        return failure;
    }

    @Override
    public String describe(long sample) {
        return key < 0 ? "sample " + sample : "sample " + sample + " (" + text(sample, key) + ")";
    }

    @Override
    public String fingerprint() {
        return index.identity().sha256() + ":" + index.identity().size() + ":" + index.samples() + ":"
                + Integer.toHexString(Checksum.of(
                        index.bytes().asSlice(0, Math.min(4096, index.bytes().byteSize()))));
    }

    @Override
    public List<Omission> omissions() {
        return index.omissions();
    }

    @Override
    public List<FileStamp> seenFiles() {
        FileStamp seen = file == null ? null : file.seen();
        return seen == null ? List.of() : List.of(seen);
    }

    @Override
    public void close() {
        if (blocks != null) {
            blocks.close();
        }
        if (remote != null) {
            remote.close();
        }
        index.close();
        if (file != null) {
            file.close();
        }
    }
}
