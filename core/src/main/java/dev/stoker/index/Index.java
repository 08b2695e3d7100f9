package dev.stoker.index;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.block.BlockTable;
import dev.stoker.io.Checksum;
import dev.stoker.io.InputFile;
import dev.stoker.io.MappedFile;
import dev.stoker.os.FileErrors;
import dev.stoker.remote.RemoteObject;
import dev.stoker.remote.RemotePath;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Omission;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An open Index: mapped, and checked as far as that takes no time that grows with the number of samples. */
public final class Index implements AutoCloseable {
    private static final long MAX_SAMPLES_WITHOUT_BYTES = 1 << 20;

    private final String file;
    private final MemorySegment bytes;
    private final IndexHeader header;
    private final IndexMeta meta;
    private final @Nullable MappedFile mapping;

    private Index(String file, MemorySegment bytes, @Nullable MappedFile mapping) {
        this.file = file;
        this.bytes = bytes;
        this.mapping = mapping;
        this.header = IndexHeader.read(file, bytes);
        this.meta = readMeta();
        checkSections();
        checkCount();
    }

    public static Index open(Path path) {
        return open(MappedFile.open(path));
    }

    /** Opens what is mapped already; it is closed with the Index, or at once if it is none. */
    public static Index open(MappedFile mapping) {
        try {
            return new Index(mapping.name(), mapping.bytes(), mapping);
        } catch (RuntimeException e) {
            mapping.close();
            throw e;
        } catch (InternalError e) {
            mapping.close();
            throw FileErrors.unreadable(mapping.path(), e);
        }
    }

    /** Opens the Index of a {@code .stk} container on remote storage, and fetches nothing else of it. */
    public static Index openRemote(RemotePath path, RemoteObject object) {
        RemoteIndex fetched = RemoteIndex.open(path, object);
        try {
            var index = new Index(fetched.file().name(), fetched.file().bytes(), fetched.file());
            fetched.fetch(index.header, index.meta);
            return index;
        } catch (RuntimeException e) {
            fetched.file().close();
            throw e;
        } finally {
            fetched.close();
        }
    }

    /** Whether the header and the section table of an Index are as they were written, whatever the rest is. */
    public static boolean hasIntactHead(Path path) {
        try (MappedFile mapping = MappedFile.open(path)) {
            IndexHeader.read(mapping.name(), mapping.bytes());
            return true;
        } catch (StokerException e) {
            return false;
        } catch (InternalError e) {
            FileErrors.requireFault(e);
            return false;
        }
    }

    /** An Index in memory, for a container beside which nothing may be written. */
    static Index of(String file, MemorySegment bytes) {
        return new Index(file, bytes, null);
    }

    /** Whether a file begins as an Index does. */
    public static boolean matches(MemorySegment head) {
        return IndexHeader.matches(head);
    }

    private IndexMeta readMeta() {
        Section section = require(Section.Kind.META, Section.NO_FIELD);
        MemorySegment json = bytes.asSlice(section.offset(), section.length());
        if (Checksum.of(json) != section.checksum()) {
            throw new CorruptContainerException(file, section.offset(), "the checksum of section META does not match");
        }
        try {
            return IndexMeta.ofJson("META", json.toArray(ValueLayout.JAVA_BYTE), header.samples());
        } catch (StokerException e) {
            throw new CorruptContainerException(file, section.offset(), "section META: " + e.getMessage());
        }
    }

    /** Every section that a field needs is there and as long as the number of samples asks. */
    private void checkSections() {
        for (Section section : header.sections()) {
            if (section.field() < (section.kind().isOfField ? 0 : Section.NO_FIELD)
                    || section.field() >= meta.schema().size()) {
                throw new CorruptContainerException(
                        file,
                        section.offset(),
                        "section " + section.kind() + " is of field " + section.field() + " but there are "
                                + meta.schema().size() + " fields");
            }
        }
        for (int f = 0; f < meta.schema().size(); f++) {
            Placement placement = meta.placements().get(f);
            FieldType type = meta.schema().type(f);
            if (!placement.dense()) {
                expect(Section.Kind.EXTENTS, f, IndexLayout.EXTENT_BYTES);
            } else if (placement.base() < 0) {
                expect(Section.Kind.VALUES, f, type.width());
            }
            if (placement.checksums()) {
                expect(Section.Kind.CHECKSUMS, f, 4);
            }
            if (type instanceof FieldType.Array array) {
                expect(Section.Kind.SHAPES, f, 8L * array.rank());
            }
        }
    }

    /** Where no value has a byte, nothing else bounds the number of samples, and whoever goes over all would not come to an end. */
    private void checkCount() {
        boolean holdsNothing =
                meta.schema().fields().stream().allMatch(field -> field.type().width() == 0);
        if (holdsNothing && header.samples() > MAX_SAMPLES_WITHOUT_BYTES) {
            throw new CorruptContainerException(
                    file,
                    CorruptContainerException.NOWHERE,
                    "there should be at most " + MAX_SAMPLES_WITHOUT_BYTES + " samples that hold nothing but there are "
                            + header.samples());
        }
    }

    private void expect(Section.Kind kind, int field, long width) {
        Section section = require(kind, field);
        long samples = header.samples();
        if (width != 0 && (samples > Long.MAX_VALUE / width || section.length() != samples * width)) {
            throw new CorruptContainerException(
                    file,
                    section.offset(),
                    "section " + kind + " of field '"
                            + meta.schema().fields().get(field).name() + "' should have "
                            + width + " bytes for each of " + samples + " samples but has " + section.length()
                            + " bytes in total");
        }
    }

    private Section require(Section.Kind kind, int field) {
        Section section = find(kind, field);
        if (section == null) {
            throw new CorruptContainerException(
                    file,
                    CorruptContainerException.NOWHERE,
                    "section " + kind + " is missing" + (field < 0 ? "" : " for field " + field));
        }
        return section;
    }

    private @Nullable Section find(Section.Kind kind, int field) {
        for (Section section : header.sections()) {
            if (section.kind() == kind && section.field() == field) {
                return section;
            }
        }
        return null;
    }

    public Schema schema() {
        return meta.schema();
    }

    public List<Split> splits() {
        return meta.splits();
    }

    /** What the container holds and no field delivers. */
    public List<Omission> omissions() {
        return meta.omissions();
    }

    public long samples() {
        return header.samples();
    }

    /** The name of the container's format. */
    public String format() {
        return meta.format();
    }

    public Placement placement(int field) {
        return meta.placements().get(field);
    }

    /** Whether the samples' bytes are in the same file. */
    public boolean isContainer() {
        return header.isContainer();
    }

    /** Whether it was made while packing, so that its checksums are those of the source. */
    public boolean isPacked() {
        return header.packed();
    }

    /** Whether any of its fields has checksums; one that was derived has them only if they were asked for. */
    public boolean hasChecksums() {
        return meta.placements().stream().anyMatch(Placement::checksums);
    }

    public ContainerIdentity identity() {
        return header.identity();
    }

    public MemorySegment bytes() {
        return bytes;
    }

    /**
     * One field of all samples.
     *
     * @param container the container's bytes; for a container that holds its own Index, the same bytes as the Index
     */
    public Column column(int field, MemorySegment container) {
        return column(field, container, container.byteSize());
    }

    /** One field of all samples of a container on remote storage: its values have places there, but no slices. */
    public Column remoteColumn(int field, long containerBytes) {
        return column(field, null, containerBytes);
    }

    private Column column(int field, @Nullable MemorySegment container, long containerBytes) {
        long limit = limit(field, containerBytes);
        Placement placement = meta.placements().get(field);
        FieldType type = meta.schema().type(field);
        boolean isIndexed = placement.place() == Placement.Place.INDEX;
        MemorySegment place = isIndexed ? bytes : container;
        long base = -1;
        if (placement.dense()) {
            base = placement.base();
            if (base < 0) {
                base = require(Section.Kind.VALUES, field).offset();
                place = isIndexed || container != null ? bytes : null;
            }
            checkDense(field, placement.base() < 0 ? bytes.byteSize() : limit, base, type.width());
        }
        return new Column(
                file,
                header.samples(),
                placement.place() == Placement.Place.BLOCKS ? null : place,
                limit,
                placement.dense() ? null : segment(Section.Kind.EXTENTS, field),
                base,
                type.width(),
                // Only what the placement asks for was looked at when opening.
                placement.checksums() ? segment(Section.Kind.CHECKSUMS, field) : null,
                type instanceof FieldType.Array ? segment(Section.Kind.SHAPES, field) : null,
                type instanceof FieldType.Array array ? array.rank() : 0);
    }

    /** Where the values of a field end at the latest. */
    private long limit(int field, long containerBytes) {
        return switch (meta.placements().get(field).place()) {
            case TREE -> Long.MAX_VALUE;
            case INDEX -> bytes.byteSize();
            case FILE -> containerBytes;
            case BLOCKS -> blocks().bytes();
        };
    }

    /** Where the container's blocks are stored; only where a field lies in them. */
    public BlockTable blocks() {
        Section section = require(Section.Kind.BLOCKS, Section.NO_FIELD);
        return new BlockTable(
                file,
                bytes.asSlice(section.offset(), section.length()),
                meta.blocks().pipelines(),
                meta.blocks().files());
    }

    /** Whether the blocks of another Index are stored in the same places, and decoded in the same way. */
    public boolean hasSameBlocks(Index other) {
        return meta.blocks().equals(other.meta.blocks())
                && areSame(Section.Kind.BLOCKS, other)
                && areSame(Section.Kind.TILES, other);
    }

    private boolean areSame(Section.Kind kind, Index other) {
        MemorySegment mine = segment(kind, Section.NO_FIELD);
        MemorySegment others = other.segment(kind, Section.NO_FIELD);
        if (mine == null || others == null) {
            return mine == null && others == null;
        }
        return Checksum.of(mine) == Checksum.of(others);
    }

    public boolean hasBlocks() {
        return meta.hasBlocks();
    }

    private void checkDense(int field, long end, long base, long width) {
        long samples = header.samples();
        long room = end - base;
        if (room < 0 || (width != 0 && samples > room / width)) {
            throw new CorruptContainerException(
                    file,
                    base,
                    samples + " values of field '"
                            + meta.schema().fields().get(field).name() + "' of " + width
                            + " bytes each should lie inside the file's " + end + " bytes");
        }
    }

    private @Nullable MemorySegment segment(Section.Kind kind, int field) {
        Section section = find(kind, field);
        return section == null ? null : bytes.asSlice(section.offset(), section.length());
    }

    /** Checks every section that has a checksum; takes as long as reading them. */
    public void verify() {
        List<CorruptContainerException> damages = damages();
        if (!damages.isEmpty()) {
            throw damages.getFirst();
        }
    }

    /** Every section whose checksum does not match, or that cannot be read; takes as long as reading them. */
    public List<CorruptContainerException> damages() {
        var damages = new ArrayList<CorruptContainerException>();
        try (InputFile read = mapping == null ? null : mapping.reopen()) {
            Checksum.OfPart sums = read == null
                    ? (offset, length) -> Checksum.of(bytes.asSlice(offset, length))
                    : (offset, length) -> Checksum.of(read::readFully, offset, length);
            for (Section section : header.sections()) {
                CorruptContainerException damage = meta.checksumsCover(section) ? null : damage(section, sums);
                if (damage != null) {
                    damages.add(damage);
                }
            }
        }
        return damages;
    }

    private @Nullable CorruptContainerException damage(Section section, Checksum.OfPart sums) {
        String of = section.field() < 0
                ? ""
                : " of field '" + meta.schema().fields().get(section.field()).name() + "'";
        try {
            return sums.of(section.offset(), section.length()) == section.checksum()
                    ? null
                    : new CorruptContainerException(
                            file,
                            section.offset(),
                            "the checksum of section " + section.kind() + of + " does not match");
        } catch (CorruptContainerException e) {
            return e;
        }
    }

    /** The file that it is in; null if it is in memory. */
    public @Nullable Path path() {
        return mapping == null ? null : mapping.path();
    }

    @Override
    public void close() {
        if (mapping != null) {
            mapping.close();
        }
    }
}
