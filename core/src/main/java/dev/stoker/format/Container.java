package dev.stoker.format;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.block.BlockCache;
import dev.stoker.block.BlockReader;
import dev.stoker.block.BlockTable;
import dev.stoker.block.Reading;
import dev.stoker.block.RemoteBytes;
import dev.stoker.index.Column;
import dev.stoker.index.Identity;
import dev.stoker.index.Index;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.memory.Checksum;
import dev.stoker.memory.MappedFile;
import dev.stoker.memory.RemoteObject;
import dev.stoker.memory.RemotePath;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An open container of any format: bytes plus an Index. {@link #value} is the hot path, the same for every format: a
 * slice of a mapped file. Of a container on remote storage the Index is here, and values are fetched.
 *
 * <p>Any number of threads may read. After {@link #close} every slice is invalid, and using one throws {@link
 * IllegalStateException}.
 */
public final class Container implements Samples {
    /** A file in a folder of samples that is larger than this is mapped, not read. */
    private static final long MOST_READ = 64 << 20;

    private final Path path;
    private final Index index;
    private final @Nullable MappedFile file;
    private final @Nullable RemoteBytes remote;
    private final Column[] columns;
    private final boolean[] isTree;
    /** For each field, who decodes or fetches its values; null where they lie in a mapped file as they are. */
    private final @Nullable Reading[] readers;

    private final @Nullable BlockReader blocks;

    private final int key;

    private Container(Path path, Index index, @Nullable MappedFile file) {
        this(path, index, file, null);
    }

    private Container(Path path, Index index, @Nullable MappedFile file, @Nullable RemoteBytes remote) {
        this.path = path;
        this.index = index;
        this.file = file;
        this.remote = remote;
        MemorySegment bytes = file == null ? index.bytes() : file.bytes();
        int fields = index.schema().size();
        this.columns = new Column[fields];
        this.isTree = new boolean[fields];
        this.readers = new Reading[fields];
        this.key = index.schema().find(Field.KEY);
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
        Path path = Formats.fileOf(place);
        if (Files.isDirectory(path)) {
            return openFolder(path, format);
        }
        if (path instanceof RemotePath remote) {
            return openRemote(remote, format);
        }
        MappedFile file = MappedFile.open(path);
        try {
            Format found = format != null ? Formats.named(format) : formatOf(file);
            if (found instanceof StkFormat) {
                file.close();
                Index index = Index.open(path);
                return requireContainer(path, index);
            }
            return new Container(path, Sidecar.load(found, file), file);
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static Container openRemote(RemotePath path, @Nullable String format) {
        RemoteObject object = path.require();
        var bytes = new RemoteBytes(path, object, BlockCache.SHARED);
        Format found = format != null
                ? Formats.named(format)
                : formatOf(path, bytes.read(0, Math.min(Format.HEAD_BYTES, bytes.size())));
        if (!(found instanceof StkFormat)) {
            return new Container(path, Sidecar.loadRemote(path, found), null, bytes);
        }
        Index index = Index.openRemote(path, object);
        requireOwn(path, index);
        return new Container(path, index, null, bytes);
    }

    /** Opens a file by looking it through, past any Index that is there, and keeps nothing. */
    public static Container openAnew(Path path, String format) {
        MappedFile file = MappedFile.open(path);
        try (IndexBuilder builder = Formats.named(format).derive(file)) {
            return new Container(path, builder.toMemory(file.name(), format, null, Identity.of(path)), file);
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static Container requireContainer(Path path, Index index) {
        requireOwn(path, index);
        return new Container(path, index, null);
    }

    private static void requireOwn(Path path, Index index) {
        if (!index.isContainer()) {
            index.close();
            throw new StokerException(
                    "[" + path + "] is an Index that belongs to another file; open that file instead");
        }
    }

    private static Container openFolder(Path path, @Nullable String format) {
        Path sidecar = Sidecar.beside(path);
        if (Files.exists(sidecar)) {
            return new Container(path, Index.open(sidecar), null);
        }
        Format found = format != null ? Formats.named(format) : Formats.of(path, MemorySegment.NULL);
        if (found == null) {
            throw new StokerException("[" + path + "] is a folder without an Index (" + sidecar.getFileName()
                    + "); pack it, or give a container");
        }
        try (IndexBuilder builder = found.deriveFolder(path)) {
            return new Container(path, builder.toMemory(path.toString(), found.name(), null, Identity.NONE), null);
        }
    }

    /** Whether a file is in a format that Stoker knows. */
    public static boolean isKnown(MappedFile file) {
        return Formats.of(file.path(), file.bytes().asSlice(0, Math.min(Format.HEAD_BYTES, file.size()))) != null;
    }

    /** The format of an object on remote storage; null if Stoker does not know it. */
    public static @Nullable Format formatOf(RemotePath path, RemoteObject object) {
        byte[] head = new byte[(int) Math.min(Format.HEAD_BYTES, object.size())];
        path.read(object, 0, MemorySegment.ofArray(head));
        return Formats.of(path, MemorySegment.ofArray(head));
    }

    /** The format of a file, or an error that says what it begins with. */
    public static Format formatOf(MappedFile file) {
        return formatOf(file.path(), file.bytes().asSlice(0, Math.min(Format.HEAD_BYTES, file.size())));
    }

    private static Format formatOf(Path path, MemorySegment head) {
        Format format = Formats.of(path, head);
        if (format == null) {
            byte[] first = head.asSlice(0, Math.min(8, head.byteSize())).toArray(ValueLayout.JAVA_BYTE);
            throw new StokerException(
                    "[" + path + "] is in no format that Stoker knows (" + Formats.names() + "); it begins with "
                            + java.util.HexFormat.ofDelimiter(" ").formatHex(first));
        }
        return format;
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
            return readFile(sample, field);
        }
        Reading reader = readers[field];
        return reader == null ? columns[field].slice(sample) : decoded(reader, sample, columns[field]);
    }

    private static MemorySegment decoded(Reading reader, long sample, Column column) {
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
        if (isTree[field] && to.byteSize() <= MOST_READ) {
            Objects.checkFromIndexSize(from, to.byteSize(), columns[field].length(sample));
            readFile(sample, field, from, to);
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

    /** The sentence for a mapped file that shrank or that the storage failed to read: the JVM tells it by an error. */
    public CorruptContainerException unreadable(long sample, int field, InternalError e) {
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

    /** A value that is a file of its own. Few are mapped: a process may have some ten thousand mappings at most. */
    private MemorySegment readFile(long sample, int field) {
        long length = columns[field].length(sample);
        if (length <= MOST_READ) {
            MemorySegment value = Arena.ofAuto().allocate(length);
            readFile(sample, field, 0, value);
            return value;
        }
        Path member = member(sample, text(sample, key));
        try (var channel = FileChannel.open(member, StandardOpenOption.READ)) {
            requireSize(member, sample, field, channel.size());
            return channel.map(FileChannel.MapMode.READ_ONLY, columns[field].offset(sample), length, Arena.ofAuto());
        } catch (IOException e) {
            throw MappedFile.cannotRead(member, e);
        }
    }

    private void readFile(long sample, int field, long from, MemorySegment to) {
        Path member = member(sample, text(sample, key));
        try (var channel = FileChannel.open(member, StandardOpenOption.READ)) {
            requireSize(member, sample, field, channel.size());
            ByteBuffer bytes = to.asByteBuffer();
            long start = columns[field].offset(sample) + from;
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, start + bytes.position()) < 0) {
                    requireSize(member, sample, field, channel.size());
                }
            }
        } catch (IOException e) {
            throw MappedFile.cannotRead(member, e);
        }
    }

    private void requireSize(Path member, long sample, int field, long found) {
        long expected = columns[field].offset(sample) + columns[field].length(sample);
        if (found != expected) {
            throw new CorruptContainerException(
                    member.toString(),
                    sample,
                    CorruptContainerException.NOWHERE,
                    "it should have " + expected + " bytes but has " + found);
        }
    }

    private Path member(long sample, String name) {
        try {
            return BlockFiles.member(path, name);
        } catch (CorruptContainerException e) {
            throw e.at(sample);
        }
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
