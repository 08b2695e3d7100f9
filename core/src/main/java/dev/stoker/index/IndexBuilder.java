package dev.stoker.index;

import dev.stoker.StokerException;
import dev.stoker.block.BlockCache;
import dev.stoker.block.BlockReader;
import dev.stoker.io.Checksum;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.OutputFile;
import dev.stoker.io.OutputNames;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Omission;
import dev.stoker.sample.Omissions;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import dev.stoker.sample.StandIn;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects the Index of a container that is being looked through for the first time. Each field's values are given in
 * the order of the samples, in one of two ways: {@link #stored} says where a value lies in the container, {@link
 * #value} gives one to be kept in the Index.
 */
public final class IndexBuilder implements AutoCloseable {
    private final Schema schema;
    private final List<Placement> placements;
    private final List<FieldColumn> columns = new ArrayList<>();
    private final BlockRows blocks = new BlockRows();
    private List<Split> splits = List.of();
    private List<Omission> omissions = List.of();
    private boolean isPacked;
    private Runnable check = () -> {};

    /** What is collected of one field. */
    private static final class FieldColumn implements AutoCloseable {
        final GrowingBuffer extents = new GrowingBuffer();
        final GrowingBuffer values = new GrowingBuffer();
        final GrowingBuffer shapes = new GrowingBuffer();
        long count;
        long nulls;

        @Override
        public void close() {
            extents.close();
            values.close();
            shapes.close();
        }
    }

    public IndexBuilder(Schema schema, List<Placement> placements) {
        this.schema = schema;
        this.placements = List.copyOf(placements);
        for (int f = 0; f < schema.size(); f++) {
            columns.add(new FieldColumn());
        }
    }

    /** Does what adds the samples; on failure nothing is left open. */
    public IndexBuilder filledBy(Consumer<IndexBuilder> work) {
        try {
            work.accept(this);
            return this;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    public Schema schema() {
        return schema;
    }

    /** Says that the checksums will be those of the source, since the container was made from it just now. */
    public void packed() {
        isPacked = true;
    }

    /** Asks before the Index gets its name whether it may: throws if the container has changed meanwhile. */
    public void checked(Runnable asked) {
        check = asked;
    }

    /** Says which samples make which split; to be called when all are there. */
    public void splits(List<Split> found) {
        splits = Split.checked(found, count());
    }

    /** Says what the container holds beside the fields. */
    public IndexBuilder omit(Omissions found) {
        omissions = found.list();
        return this;
    }

    /** A value of a field, or an element of one, is null in the container: something else stands for it. */
    public void missing(int field) {
        columns.get(field).nulls++;
    }

    /** What is left out, and which fields have nulls. */
    private List<Omission> allOmissions() {
        var all = new ArrayList<>(omissions);
        for (int f = 0; f < columns.size(); f++) {
            if (columns.get(f).nulls > 0) {
                all.add(StandIn.omission(schema.fields().get(f), columns.get(f).nulls));
            }
        }
        return all;
    }

    /** The next value of a field lies there in the container. */
    public void stored(int field, long offset, long length) {
        FieldColumn column = columns.get(field);
        column.extents.addLong(offset);
        column.extents.addLong(length);
        column.count++;
    }

    /** The next value of a field, to be kept in the Index. */
    public void value(int field, MemorySegment value) {
        FieldColumn column = columns.get(field);
        FieldType type = schema.type(field);
        if (type.isFixed() && value.byteSize() != type.width()) {
            throw new StokerException(
                    "a value of field '" + schema.fields().get(field).name() + "' should have " + type.width()
                            + " bytes but has " + value.byteSize());
        }
        if (!placements.get(field).dense()) {
            // Relative to the field's values for now: where these lie is known when all are there.
            column.extents.addLong(column.values.size());
            column.extents.addLong(value.byteSize());
        }
        column.values.add(value);
        column.count++;
    }

    /** All values of a dense field lie in the container already, as its placement says. */
    public void storedDense(int field, long count) {
        columns.get(field).count = count;
    }

    /** The dimensions of the next value of an array field; goes with {@link #stored} or {@link #value}. */
    public void shape(int field, long... dimensions) {
        for (long dimension : dimensions) {
            columns.get(field).shapes.addLong(dimension);
        }
    }

    /** The container's blocks; of values that lie in them, {@link #stored} says where among the decoded bytes. */
    public BlockRows blocks() {
        return blocks;
    }

    /** How many values the first field has by now. */
    public long count() {
        return columns.getFirst().count;
    }

    /** The Index in memory. */
    public Index toMemory(String file, String format, @Nullable MemorySegment container, ContainerIdentity identity) {
        IndexLayout layout = layout(format, container != null);
        MemorySegment bytes = Arena.ofAuto().allocate(layout.length(), 64);
        write(layout, bytes, container, identity);
        return Index.of(file, bytes);
    }

    /**
     * Writes the Index; the file has its name only when it is complete and on the disk.
     *
     * @param replaces whether a file of that name is replaced; else it stays, also one that appears in this very moment
     * @param container the container's bytes, if its values are to get checksums, else null
     * @param like a file that not everybody may read, so that the Index, which holds values of it, is closed to the
     *     same; null if the usual permissions do
     * @return whether it was written: false if a file is there that is not replaced
     */
    public boolean toFile(
            Path path,
            boolean replaces,
            String format,
            @Nullable MemorySegment container,
            ContainerIdentity identity,
            @Nullable Path like) {
        IndexLayout layout = layout(format, container != null);
        // Random, since processes of other nodes, which may have the same process number, write to the same folder.
        Path part = OutputNames.partialIndex(path, UUID.randomUUID().toString());
        try (var arena = Arena.ofConfined();
                var file = Objects.requireNonNull(OutputFile.claim(part), "a name that nobody else has")) {
            if (like != null) {
                close(part, like);
            }
            MemorySegment bytes = arena.allocate(layout.length(), 64);
            write(layout, bytes, container, identity);
            file.write(0, bytes);
            file.sync();
            check.run();
        } catch (RuntimeException e) {
            deleteQuietly(part);
            throw e;
        }
        try {
            if (!replaces) {
                link(part, path);
            }
            Files.move(part, path, StandardCopyOption.ATOMIC_MOVE); // of two names of one file it takes none away
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } catch (IOException e) {
            throw FileErrors.cannotWrite(path, e);
        } finally {
            deleteQuietly(part);
        }
    }

    /** Deletes what killed processes left that wrote an Index of this name. What a living one writes stays. */
    public static void deleteLeftovers(Path path) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        for (Path left : folder == null || !FileProbe.isFolder(folder) ? List.<Path>of() : FileProbe.in(folder)) {
            if (OutputNames.isPartialIndex(path, left)) {
                try (OutputFile claimed = OutputFile.claim(left)) {
                    if (claimed != null) {
                        Files.deleteIfExists(left);
                    }
                }
            }
        }
    }

    /** Gives the file its name unless there is one of that name; a filesystem without links can only look. */
    private static void link(Path part, Path path) throws IOException {
        try {
            Files.createLink(path, part);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (IOException | UnsupportedOperationException e) {
            if (FileProbe.hasEntry(path)) {
                throw new FileAlreadyExistsException(path.toString());
            }
        }
    }

    private static void close(Path part, Path like) {
        try {
            var allowed = EnumSet.copyOf(Files.getPosixFilePermissions(like));
            if (allowed.contains(PosixFilePermission.OTHERS_READ)) {
                return;
            }
            allowed.retainAll(PosixFilePermissions.fromString("rw-rw----"));
            allowed.addAll(PosixFilePermissions.fromString("rw-------"));
            Files.setAttribute(part, "unix:gid", Files.getAttribute(like, "unix:gid"));
            Files.setPosixFilePermissions(part, allowed);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(part, e);
        }
    }

    private static void deleteQuietly(Path part) {
        try {
            Files.deleteIfExists(part);
        } catch (IOException ignored) {
            // The failure that led here is the one to report.
        }
    }

    private IndexLayout layout(String format, boolean checksums) {
        var chosen = new ArrayList<Placement>();
        for (Placement placement : placements) {
            chosen.add(checksums ? placement : placement.withoutChecksums());
        }
        long samples = count();
        var indexedBytes = new long[columns.size()];
        for (int f = 0; f < columns.size(); f++) {
            if (columns.get(f).count != samples) {
                throw new IllegalStateException(
                        "field " + f + " has " + columns.get(f).count + " values, not " + samples);
            }
            indexedBytes[f] = columns.get(f).values.size();
        }
        var meta = new IndexMeta(format, schema, splits, chosen, blocks.meta(), allOmissions());
        return meta.hasBlocks()
                ? IndexLayout.sidecar(meta, samples, indexedBytes, blocks.count(), blocks.tileBytes())
                : IndexLayout.sidecar(meta, samples, indexedBytes);
    }

    private void write(
            IndexLayout layout, MemorySegment to, @Nullable MemorySegment container, ContainerIdentity identity) {
        copy(layout.metaBytes(), to, layout.metaOffset());
        if (layout.meta().hasBlocks()) {
            blocks.write(layout, to);
        }
        for (int f = 0; f < columns.size(); f++) {
            FieldColumn column = columns.get(f);
            Placement placement = layout.meta().placements().get(f);
            boolean indexed = placement.place() == Placement.Place.INDEX;
            if (indexed) {
                copy(column.values.bytes(), to, layout.values(f));
            }
            if (!placement.dense()) {
                copy(column.extents.bytes(), to, layout.extents(f));
                if (indexed) {
                    shift(to.asSlice(layout.extents(f), column.extents.size()), layout.values(f));
                }
            }
            if (schema.type(f) instanceof FieldType.Array) {
                copy(column.shapes.bytes(), to, layout.shapes(f));
            }
            if (placement.checksums() && container != null) {
                checksums(layout, f, to, container);
            }
        }
        copy(layout.seal((at, length) -> Checksum.of(to.asSlice(at, length)), identity, isPacked), to, 0);
    }

    private void checksums(IndexLayout layout, int field, MemorySegment to, MemorySegment container) {
        GrowingBuffer extents = columns.get(field).extents;
        Placement placement = layout.meta().placements().get(field);
        long width = schema.type(field).width();
        try (BlockReader reader = placement.place() == Placement.Place.BLOCKS
                ? new BlockReader(blocks.table(layout, to), to, new OneFile(container), BlockCache.SHARED)
                : null) {
            for (long i = 0; i < layout.samples(); i++) {
                long offset = placement.dense() ? placement.base() + i * width : extents.getLong(2 * i);
                long length = placement.dense() ? width : extents.getLong(2 * i + 1);
                MemorySegment value = reader == null ? container.asSlice(offset, length) : reader.read(offset, length);
                to.set(LittleEndian.U32, layout.checksums(field) + 4 * i, Checksum.of(value));
            }
        }
    }

    /** A container that is one file. */
    private record OneFile(MemorySegment container) implements BlockReader.Files {
        @Override
        public MemorySegment bytes(int file) {
            return container;
        }

        @Override
        public String name(int file) {
            return "the container";
        }
    }

    private static void shift(MemorySegment extents, long by) {
        for (long at = 0; at < extents.byteSize(); at += IndexLayout.EXTENT_BYTES) {
            extents.set(LittleEndian.U64, at, extents.get(LittleEndian.U64, at) + by);
        }
    }

    private static void copy(MemorySegment from, MemorySegment to, long offset) {
        MemorySegment.copy(from, 0, to, offset, from.byteSize());
    }

    @Override
    public void close() {
        columns.forEach(FieldColumn::close);
        blocks.close();
    }
}
