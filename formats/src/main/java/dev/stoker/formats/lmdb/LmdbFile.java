package dev.stoker.formats.lmdb;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.MappedFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An environment that was found to be one: the newer of its two states. */
record LmdbFile(MappedFile file, int pageBytes, Database main) {
    private static final int SMALLEST_PAGE = 512;
    private static final int LARGEST_PAGE = 1 << 16;
    /** Where the magic stands if numbers and places have 32 bits. */
    private static final int HEADER_BYTES_32 = 12;

    static boolean matches(MemorySegment head) {
        return magicAt(head, Page.HEADER_BYTES) || magicAt(head, HEADER_BYTES_32) || isBigEndian(head);
    }

    private static boolean magicAt(MemorySegment bytes, long at) {
        return at >= 0 && at <= bytes.byteSize() - 8 && bytes.get(LittleEndian.U32, at) == Meta.MAGIC;
    }

    private static boolean isBigEndian(MemorySegment bytes) {
        return bytes.byteSize() >= Page.HEADER_BYTES + 8
                && Integer.reverseBytes(bytes.get(LittleEndian.U32, Page.HEADER_BYTES)) == Meta.MAGIC;
    }

    static LmdbFile open(MappedFile file) {
        MemorySegment bytes = file.bytes();
        if (!magicAt(bytes, Page.HEADER_BYTES)) {
            throw isBigEndian(bytes) || magicAt(bytes, HEADER_BYTES_32)
                    ? new StokerException(
                            file.path(),
                            "is an LMDB file of a machine with 32 bits or of"
                                    + " another byte order; export it there with mdb_dump and load it here with mdb_load")
                    : corrupt(file, Page.HEADER_BYTES, "expected BEEFC0DE here, as every LMDB file has");
        }
        Meta first = meta(file, 0);
        int pageBytes = first.pageBytes();
        if (pageBytes < SMALLEST_PAGE || pageBytes > LARGEST_PAGE || Integer.bitCount(pageBytes) != 1) {
            throw corrupt(file, 0, "pages should have 512 to 65536 bytes, a power of two, but have " + pageBytes);
        }
        Meta second = meta(file, pageBytes);
        if (second.pageBytes() != pageBytes) {
            throw corrupt(
                    file,
                    pageBytes,
                    "the meta pages disagree about the size of a page: " + pageBytes + " and " + second.pageBytes()
                            + " bytes");
        }
        return new LmdbFile(file, pageBytes, (first.transaction() > second.transaction() ? first : second).main());
    }

    private static Meta meta(MappedFile file, long page) {
        MemorySegment bytes = file.bytes();
        if (page > bytes.byteSize() - Page.HEADER_BYTES - Meta.BYTES) {
            throw corrupt(file, page, "a metexpected a page here, but the file ends; it is truncated");
        }
        int flags = Short.toUnsignedInt(bytes.get(LittleEndian.U16, page + 10));
        if (!magicAt(bytes, page + Page.HEADER_BYTES) || (flags & Page.META) == 0) {
            throw corrupt(file, page, "expected a meta page here, but found none");
        }
        int version = bytes.get(LittleEndian.U32, page + Page.HEADER_BYTES + 4);
        if (version != Meta.VERSION) {
            throw new StokerException(
                    file.path(),
                    "byte " + (page + Page.HEADER_BYTES + 4)
                            + ": only version 1 of LMDB's file format is read, this is version " + version
                            + "; export it with mdb_dump and load it with the mdb_load of LMDB 0.9");
        }
        return Meta.read(bytes, page);
    }

    MemorySegment bytes() {
        return file.bytes();
    }

    /** Walks through a database; each page may be claimed once. */
    TreeCursor cursor(String name, Database database, Claims claims) {
        return new TreeCursor(this, name, database, claims);
    }

    /** The value of a key of the main database, or null; other entries are passed over. */
    byte @Nullable [] find(String key) {
        byte[] wanted = key.getBytes(StandardCharsets.UTF_8);
        TreeCursor cursor = cursor("main", main, new Claims(this));
        while (cursor.next()) {
            if (cursor.flags() == 0 && cursor.hasKey(wanted)) {
                return bytes().asSlice(cursor.valueOffset(), cursor.valueBytes())
                        .toArray(ValueLayout.JAVA_BYTE);
            }
        }
        return null;
    }

    CorruptContainerException corrupt(long at, String reason) {
        return corrupt(file, at, reason);
    }

    private static CorruptContainerException corrupt(MappedFile file, long at, String reason) {
        return new CorruptContainerException(file.name(), at, reason);
    }
}
