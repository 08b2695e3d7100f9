package dev.stoker.formats.lmdb;

import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * What a meta page says behind its 16 bytes of header: u32 magic, u32 version, u64 address, u64 map size, the records of
 * the free list and of the main database, u64 last page, u64 transaction.
 */
record Meta(int pageBytes, Database main, long transaction) {
    static final int MAGIC = 0xBEEFC0DE;
    static final int VERSION = 1;
    static final int BYTES = 24 + 2 * Database.BYTES + 16;

    private static final int FREE = Page.HEADER_BYTES + 24;
    private static final int MAIN = FREE + Database.BYTES;

    /** Reads the meta page that begins there; whether it is one was checked. */
    static Meta read(MemorySegment bytes, long page) {
        return new Meta(
                bytes.get(LittleEndian.U32, page + FREE),
                Database.read(bytes, page + MAIN),
                bytes.get(LittleEndian.U64, page + MAIN + Database.BYTES + 8));
    }

    /** Both meta pages of a file of so many pages. */
    static byte[] pages(int pageBytes, Database main, long pages) {
        var bytes = new byte[Page.META_PAGES * pageBytes];
        ByteBuffer to = Page.wrap(bytes);
        var free = new Database(Database.INTEGER_KEY, 0, 0, 0, 0, 0, Page.NO_PAGE);
        for (int page = 0; page < Page.META_PAGES; page++) {
            to.position(page * pageBytes);
            to.putLong(page).putShort((short) 0).putShort((short) Page.META).putInt(0);
            to.putInt(MAGIC).putInt(VERSION).putLong(0).putLong(pages * pageBytes);
            free.put(to, pageBytes);
            main.put(to, 0);
            to.putLong(pages - 1).putLong(page);
        }
        return bytes;
    }
}
