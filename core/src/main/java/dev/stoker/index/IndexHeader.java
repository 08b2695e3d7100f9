package dev.stoker.index;

import static dev.stoker.io.LittleEndian.U16;
import static dev.stoker.io.LittleEndian.U32;
import static dev.stoker.io.LittleEndian.U64;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.io.Checksum;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The first bytes of an Index, little-endian:
 *
 * <pre>
 *   0  8  magic 89 53 54 4B 58 0D 0A 1A
 *   8  2  major version, 1: a reader refuses a larger one
 *  10  2  minor version, 0, or 1 where there are blocks: a reader ignores sections of kinds that it does not know
 *  12  4  kind: 1 container (.stk), 2 sidecar (.stkx)
 *  16  8  length of this file
 *  24  8  number of samples
 *  32  8  offset of the section table
 *  40  4  number of sections
 *  44  4  CRC32C of the section table
 *  48  8  length of the container that a sidecar belongs to
 *  56 32  SHA-256 of that container's head and tail, see {@link ContainerIdentity}
 *  88  4  flags: bit 0, made while packing (its checksums are those of the source)
 *  92 32  zero
 * 124  4  CRC32C of the bytes 0 to 123
 * </pre>
 *
 * A section table has 32 bytes for each section: u32 kind, u32 field (0xffffffff: none), u64 offset (a multiple of 8),
 * u64 length, u32 CRC32C (0 where each value has its own), u32 zero.
 */
record IndexHeader(
        boolean isContainer,
        long length,
        long samples,
        boolean packed,
        ContainerIdentity identity,
        List<Section> sections) {
    static final int BYTES = 128;
    static final int MAX_SECTIONS = 1 << 16;
    private static final byte[] MAGIC = {(byte) 0x89, 'S', 'T', 'K', 'X', '\r', '\n', 0x1a};
    private static final int MAJOR = 1;
    private static final int CHECKED_BYTES = 124;

    static boolean matches(MemorySegment head) {
        return head.byteSize() >= MAGIC.length
                && Arrays.equals(head.asSlice(0, MAGIC.length).toArray(ValueLayout.JAVA_BYTE), MAGIC);
    }

    /** Header and section table as they stand at the beginning of the file. */
    MemorySegment toBytes() {
        MemorySegment bytes = Arena.ofAuto().allocate(BYTES + (long) Section.BYTES * sections.size(), 8);
        MemorySegment table = bytes.asSlice(BYTES);
        for (int i = 0; i < sections.size(); i++) {
            Section section = sections.get(i);
            long at = (long) i * Section.BYTES;
            table.set(U32, at, section.kind().code);
            table.set(U32, at + 4, section.field());
            table.set(U64, at + 8, section.offset());
            table.set(U64, at + 16, section.length());
            table.set(U32, at + 24, section.checksum());
        }
        MemorySegment.copy(MemorySegment.ofArray(MAGIC), 0, bytes, 0, MAGIC.length);
        bytes.set(U16, 8, (short) MAJOR);
        bytes.set(U16, 10, (short) (hasBlocks() ? 1 : 0));
        bytes.set(U32, 12, isContainer ? 1 : 2);
        bytes.set(U64, 16, length);
        bytes.set(U64, 24, samples);
        bytes.set(U64, 32, BYTES);
        bytes.set(U32, 40, sections.size());
        bytes.set(U32, 44, Checksum.of(table));
        bytes.set(U64, 48, identity.size());
        MemorySegment.copy(MemorySegment.ofArray(identity.hash()), 0, bytes, 56, ContainerIdentity.HASH_BYTES);
        bytes.set(U32, 88, packed ? 1 : 0);
        bytes.set(U32, CHECKED_BYTES, Checksum.of(bytes.asSlice(0, CHECKED_BYTES)));
        return bytes;
    }

    private boolean hasBlocks() {
        return sections.stream().anyMatch(section -> section.kind() == Section.Kind.BLOCKS);
    }

    /** Reads and checks header and section table. */
    static IndexHeader read(String file, MemorySegment bytes) {
        if (bytes.byteSize() < BYTES || !matches(bytes)) {
            throw new CorruptContainerException(
                    file, 0, "the Index should begin with its magic number; the file is not an Index, or not sealed");
        }
        int major = Short.toUnsignedInt(bytes.get(U16, 8));
        if (major != MAJOR) {
            throw new StokerException(
                    file,
                    "is an Index of version " + major + ", but this Stoker reads version " + MAJOR
                            + "; use a newer Stoker");
        }
        int found = Checksum.of(bytes.asSlice(0, CHECKED_BYTES));
        check(
                file,
                found == bytes.get(U32, CHECKED_BYTES),
                0,
                "the header's checksum does not match; the file is damaged");
        long length = bytes.get(U64, 16);
        check(
                file,
                length == bytes.byteSize(),
                16,
                "the file should have " + length + " bytes but has " + bytes.byteSize()
                        + "; it is truncated or damaged");
        long samples = bytes.get(U64, 24);
        check(file, samples >= 0, 24, "the number of samples should not be negative but is " + samples);
        int kind = bytes.get(U32, 12);
        check(file, kind == 1 || kind == 2, 12, "the kind should be 1 or 2 but is " + kind);
        byte[] hash = bytes.asSlice(56, ContainerIdentity.HASH_BYTES).toArray(ValueLayout.JAVA_BYTE);
        var identity = new ContainerIdentity(bytes.get(U64, 48), HexFormat.of().formatHex(hash));
        boolean packed = (bytes.get(U32, 88) & 1) != 0;
        return new IndexHeader(kind == 1, length, samples, packed, identity, sections(file, bytes));
    }

    private static List<Section> sections(String file, MemorySegment bytes) {
        long at = bytes.get(U64, 32);
        long count = Integer.toUnsignedLong(bytes.get(U32, 40));
        check(
                file,
                count <= MAX_SECTIONS && at >= BYTES && at <= bytes.byteSize() - count * Section.BYTES,
                32,
                "the table of " + count + " sections at byte " + at + " should lie inside the file");
        MemorySegment table = bytes.asSlice(at, count * Section.BYTES);
        check(file, Checksum.of(table) == bytes.get(U32, 44), at, "the section table's checksum does not match");
        var sections = new ArrayList<Section>();
        for (long entry = 0; entry < table.byteSize(); entry += Section.BYTES) {
            int code = table.get(U32, entry);
            long offset = table.get(U64, entry + 8);
            long length = table.get(U64, entry + 16);
            check(
                    file,
                    offset >= 0 && offset % 8 == 0 && length >= 0 && offset <= bytes.byteSize() - length,
                    at + entry,
                    "a section of " + length + " bytes at byte " + offset + " should lie inside the file");
            for (Section.Kind kind : Section.Kind.values()) {
                if (kind.code == code) {
                    sections.add(
                            new Section(kind, table.get(U32, entry + 4), offset, length, table.get(U32, entry + 24)));
                }
            }
        }
        return List.copyOf(sections);
    }

    private static void check(String file, boolean good, long offset, String reason) {
        if (!good) {
            throw new CorruptContainerException(file, offset, reason);
        }
    }
}
