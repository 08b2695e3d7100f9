package dev.stoker.ledger;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Records of {@value #RECORD} bytes, little-endian; {@code docs/format/ledger.md} is the specification.
 *
 * <pre>
 * 0  u8   kind
 * 1  u8   outcome of a RUN, otherwise 0
 * 2  u16  FILE: version; TEXT: bytes used; otherwise 0
 * 4  u32  CRC32C of the other 28 bytes
 * 8  24 bytes, by kind:
 *    FILE   "Stoker ledger\n", zeros
 *    JOB    i64 seed, i64 size, u32 bytes of the dataset's fingerprint, u32 bytes of the order's name
 *    TEXT   the next bytes of the fingerprint, then those of the name
 *    EPOCH  i64 epoch, u32 rank, u32 world, 8 zeros
 *    RUN    i64 first position, i64 count, i64 step
 * </pre>
 *
 * All records are of one size and so aligned that a sector never holds half of one: a damaged record is told from the
 * torn end of a file by its place alone.
 */
public final class LedgerFormat {
    public static final int RECORD = 32;
    static final int TEXT_BYTES = 24;
    static final int MAX_TEXT = 1 << 20;
    static final int VERSION = 1;

    static final byte FILE = 1;
    static final byte JOB = 2;
    static final byte TEXT = 3;
    static final byte EPOCH = 4;
    static final byte RUN = 5;

    static final byte[] MAGIC = "Stoker ledger\n".getBytes(StandardCharsets.US_ASCII);

    private LedgerFormat() {}

    static ByteBuffer buffer(int records) {
        return ByteBuffer.allocate(records * RECORD).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Puts a record of three numbers at the buffer's position. */
    static void put(ByteBuffer to, byte kind, int outcome, int small, long a, long b, long c) {
        int at = to.position();
        to.put(kind).put((byte) outcome).putShort((short) small).putInt(0);
        to.putLong(a).putLong(b).putLong(c);
        seal(to, at);
    }

    /** Puts a record of bytes at the buffer's position. */
    static void put(ByteBuffer to, byte kind, int small, byte[] bytes, int from, int length) {
        int at = to.position();
        to.put(kind).put((byte) 0).putShort((short) small).putInt(0);
        to.put(bytes, from, length).put(new byte[TEXT_BYTES - length]);
        seal(to, at);
    }

    static void putFile(ByteBuffer to) {
        put(to, FILE, VERSION, MAGIC, 0, MAGIC.length);
    }

    private static void seal(ByteBuffer buffer, int at) {
        buffer.putInt(at + 4, crc(buffer, at));
    }

    static int crc(ByteBuffer buffer, int at) {
        CRC32C crc = new CRC32C();
        crc.update(buffer.slice(at, 4));
        crc.update(buffer.slice(at + 8, RECORD - 8));
        return (int) crc.getValue();
    }
}
