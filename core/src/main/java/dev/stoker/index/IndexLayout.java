package dev.stoker.index;

import dev.stoker.block.BlockTable;
import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The planned bytes of an Index: every section has its place before the first sample is read. Sections are filled in
 * any order, by any process; {@link #seal} then computes their checksums and the header, which comes last, so that an
 * Index that was not sealed is not taken for one.
 */
public final class IndexLayout {
    private static final int ALIGNMENT = 64;
    private static final int PAGE = 4096;
    /** Bytes of one extent: u64 offset, u64 length. */
    public static final int EXTENT_BYTES = 16;

    private final IndexMeta meta;
    private final byte[] json;
    private final long samples;
    private final boolean isContainer;
    private final List<Section> sections = new ArrayList<>();
    private long end;

    private IndexLayout(IndexMeta meta, long samples, boolean isContainer, int sectionLimit) {
        this.meta = meta;
        this.json = meta.toJson().getBytes(StandardCharsets.UTF_8);
        this.samples = samples;
        this.isContainer = isContainer;
        this.end = IndexHeader.BYTES + (long) Section.BYTES * sectionLimit;
    }

    /**
     * A sidecar's layout.
     *
     * @param indexedBytes for each field, the bytes of all its values together; used for variable-length fields that
     *     are kept in the Index
     */
    public static IndexLayout sidecar(IndexMeta meta, long samples, long[] indexedBytes) {
        return of(meta, samples, indexedBytes, false);
    }

    /** The sidecar's layout of samples whose container has no blocks. */
    public static IndexLayout sidecar(IndexMeta meta, Samples samples) {
        return sidecar(meta, samples.count(), indexedBytes(samples, meta.placements()));
    }

    /**
     * A sidecar's layout, for a container that has blocks.
     *
     * @param blocks how many blocks there are
     * @param tileBytes the bytes of all lists of tiles together
     */
    public static IndexLayout sidecar(IndexMeta meta, long samples, long[] indexedBytes, long blocks, long tileBytes) {
        IndexLayout layout = of(meta, samples, indexedBytes, false);
        layout.addBlocks(blocks, tileBytes);
        return layout;
    }

    /** The layout of a {@code .stk} container whose DATA section has this many bytes. */
    public static IndexLayout container(IndexMeta meta, long samples, long[] indexedBytes, long dataBytes) {
        IndexLayout layout = of(meta, samples, indexedBytes, true);
        layout.add(Section.Kind.DATA, Section.NO_FIELD, dataBytes, PAGE);
        return layout;
    }

    /** The layout of a {@code .stk} container with so many blocks, whose stored bytes are its DATA section. */
    public static IndexLayout container(
            IndexMeta meta, long samples, long[] indexedBytes, long dataBytes, long blocks) {
        IndexLayout layout = of(meta, samples, indexedBytes, true);
        layout.addBlocks(blocks, 0);
        layout.add(Section.Kind.DATA, Section.NO_FIELD, dataBytes, PAGE);
        return layout;
    }

    private void addBlocks(long blocks, long tileBytes) {
        add(Section.Kind.BLOCKS, Section.NO_FIELD, Math.multiplyExact(blocks + 1, BlockTable.ROW_BYTES), ALIGNMENT);
        add(Section.Kind.TILES, Section.NO_FIELD, tileBytes, ALIGNMENT);
    }

    /** The layout of a {@code .stk} container whose DATA section is there before all others, which come behind it. */
    public static IndexLayout containerBehind(
            IndexMeta meta, long samples, long[] indexedBytes, long dataOffset, long dataBytes) {
        var layout =
                new IndexLayout(meta, samples, true, sectionLimit(meta.schema().size()));
        if (dataOffset < layout.end) {
            throw new IllegalArgumentException("the header needs " + layout.end + " bytes, not " + dataOffset);
        }
        layout.end = dataOffset;
        layout.add(Section.Kind.DATA, Section.NO_FIELD, dataBytes, 8);
        layout.addSections(indexedBytes);
        return layout;
    }

    private static int sectionLimit(int fields) {
        return 2 + 4 * fields;
    }

    /** Bytes of header and section table at the most. */
    public static long headBytes(int fields) {
        return IndexHeader.BYTES + (long) Section.BYTES * sectionLimit(fields);
    }

    private static IndexLayout of(IndexMeta meta, long samples, long[] indexedBytes, boolean isContainer) {
        int limit = sectionLimit(meta.schema().size()) + (meta.hasBlocks() ? 2 : 0);
        var layout = new IndexLayout(meta, samples, isContainer, limit);
        layout.addSections(indexedBytes);
        return layout;
    }

    private void addSections(long[] indexedBytes) {
        add(Section.Kind.META, Section.NO_FIELD, json.length, ALIGNMENT);
        for (int f = 0; f < meta.schema().size(); f++) {
            addField(f, indexedBytes[f]);
        }
    }

    /** For each field the bytes of all its values together, where these are kept in the Index and vary in length. */
    public static long[] indexedBytes(Samples samples, List<Placement> placements) {
        var bytes = new long[placements.size()];
        for (int f = 0; f < bytes.length; f++) {
            if (placements.get(f).place() == Placement.Place.INDEX
                    && !placements.get(f).dense()) {
                for (long i = 0; i < samples.count(); i++) {
                    bytes[f] += samples.length(i, f);
                }
            }
        }
        return bytes;
    }

    private void addField(int field, long indexedBytes) {
        Placement placement = meta.placements().get(field);
        FieldType type = meta.schema().type(field);
        if (!placement.dense()) {
            add(Section.Kind.EXTENTS, field, Math.multiplyExact(samples, EXTENT_BYTES), ALIGNMENT);
        }
        if (placement.checksums()) {
            add(Section.Kind.CHECKSUMS, field, Math.multiplyExact(samples, 4), ALIGNMENT);
        }
        if (type instanceof FieldType.Array array) {
            add(Section.Kind.SHAPES, field, Math.multiplyExact(samples, 8L * array.rank()), ALIGNMENT);
        }
        if (placement.dense() && placement.base() < 0) {
            add(Section.Kind.VALUES, field, Math.multiplyExact(samples, type.width()), PAGE);
        } else if (placement.place() == Placement.Place.INDEX) {
            add(Section.Kind.VALUES, field, indexedBytes, ALIGNMENT);
        }
    }

    private void add(Section.Kind kind, int field, long length, int alignment) {
        long offset = LittleEndian.align(end, alignment);
        sections.add(new Section(kind, field, offset, length, 0));
        end = Math.addExact(offset, length);
    }

    public IndexMeta meta() {
        return meta;
    }

    public long samples() {
        return samples;
    }

    /** Whether the samples' bytes are in the same file. */
    public boolean isContainer() {
        return isContainer;
    }

    /** The length of the file. */
    public long length() {
        return end;
    }

    public long extents(int field) {
        return offset(Section.Kind.EXTENTS, field);
    }

    public long checksums(int field) {
        return offset(Section.Kind.CHECKSUMS, field);
    }

    public long shapes(int field) {
        return offset(Section.Kind.SHAPES, field);
    }

    public long values(int field) {
        return offset(Section.Kind.VALUES, field);
    }

    public long blocks() {
        return offset(Section.Kind.BLOCKS, Section.NO_FIELD);
    }

    public long tiles() {
        return offset(Section.Kind.TILES, Section.NO_FIELD);
    }

    public long data() {
        return offset(Section.Kind.DATA, Section.NO_FIELD);
    }

    private long offset(Section.Kind kind, int field) {
        for (Section section : sections) {
            if (section.kind() == kind && section.field() == field) {
                return section.offset();
            }
        }
        throw new IllegalArgumentException("field " + field + " has no section " + kind);
    }

    /** Bytes of the header and the section table, from byte 0 on. */
    public long headBytes() {
        return IndexHeader.BYTES + (long) Section.BYTES * sections.size();
    }

    /** The META section's bytes, and their place. */
    public long metaOffset() {
        return offset(Section.Kind.META, Section.NO_FIELD);
    }

    public MemorySegment metaBytes() {
        return MemorySegment.ofArray(json);
    }

    /**
     * The header and section table, to be written at byte 0.
     *
     * @param filled the checksums of parts of the file, with all its sections filled
     * @param packed whether the checksums are those of the source
     */
    public MemorySegment seal(Checksum.OfPart filled, ContainerIdentity identity, boolean packed) {
        var sealed = new ArrayList<Section>();
        for (Section section : sections) {
            sealed.add(
                    meta.checksumsCover(section)
                            ? section
                            : section.withChecksum(filled.of(section.offset(), section.length())));
        }
        return new IndexHeader(isContainer, end, samples, packed, identity, sealed).toBytes();
    }
}
