package dev.stoker.formats.shared.zip;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The records of an archive as Stoker writes them, with their lengths. */
public final class ZipRecords {
    public static final int LOCAL = 0x04034b50;
    public static final int CENTRAL = 0x02014b50;
    public static final int END = 0x06054b50;
    public static final int END64 = 0x06064b50;
    public static final int LOCATOR64 = 0x07064b50;
    private static final int DESCRIPTOR = 0x08074b50;

    public static final int LOCAL_BYTES = 30;
    public static final int CENTRAL_BYTES = 46;
    public static final int END_BYTES = 22;
    public static final int END64_BYTES = 56;
    public static final int LOCATOR64_BYTES = 20;

    /** In place of a number that stands in the zip64 record. */
    public static final long MAX32 = 0xffff_ffffL;

    public static final int MAX16 = 0xffff;
    public static final int ZIP64_ID = 1;
    public static final int STORED = 0;
    public static final int FLAG_ENCRYPTED = 1;
    public static final int FLAG_DESCRIPTOR = 1 << 3;
    public static final int FLAG_UTF8 = 1 << 11;
    public static final int UNIX = 3;

    /** The head of an extra field. */
    public static final int LEAST_PADDING = 4;

    /** The extra field by which Android aligns members. */
    private static final int PADDING_ID = 0xd935;

    private static final int VERSION = 20;
    private static final int VERSION64 = 45;
    private static final int DATE_1980_01_01 = 1 << 5 | 1;
    private static final int REGULAR_0644 = 0100644;

    private ZipRecords() {}

    public static boolean isBig(long length) {
        return length >= MAX32;
    }

    public static long localBytes(long nameBytes, long length) {
        return LOCAL_BYTES + nameBytes + (isBig(length) ? 20 : 0);
    }

    public static long descriptorBytes(long length) {
        return isBig(length) ? 24 : 16;
    }

    public static long centralBytes(long nameBytes, long length, long offset) {
        return CENTRAL_BYTES + nameBytes + centralExtraBytes(length, offset);
    }

    private static int centralExtraBytes(long length, long offset) {
        int numbers = (isBig(length) ? 2 : 0) + (offset >= MAX32 ? 1 : 0);
        return numbers == 0 ? 0 : 4 + 8 * numbers;
    }

    public static byte[] local(byte[] name, long length) {
        var bytes = new byte[Math.toIntExact(localBytes(name.length, length))];
        ByteBuffer to = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        to.putInt(LOCAL);
        common(to, length, 0, 0, FLAG_DESCRIPTOR | FLAG_UTF8);
        // With a descriptor the sizes here are zero, but for zip64, where they say that the descriptor is of that kind.
        int size = isBig(length) ? (int) MAX32 : 0;
        to.putInt(size).putInt(size);
        to.putShort((short) name.length).putShort((short) (isBig(length) ? 20 : 0));
        to.put(name);
        if (isBig(length)) {
            to.putShort((short) ZIP64_ID).putShort((short) 16).putLong(length).putLong(length);
        }
        return bytes;
    }

    /**
     * A header that has the CRC-32 itself, so that no descriptor follows the data.
     *
     * @param padding bytes of an extra field that does nothing but to move the data: 0, or at least {@value
     *     #LEAST_PADDING}
     */
    public static byte[] local(byte[] name, int crc, long length, int padding) {
        int wide = isBig(length) ? 20 : 0;
        ByteBuffer to =
                ByteBuffer.allocate(LOCAL_BYTES + name.length + wide + padding).order(ByteOrder.LITTLE_ENDIAN);
        to.putInt(LOCAL);
        common(to, length, 0, crc, FLAG_UTF8);
        to.putInt(capped(length)).putInt(capped(length));
        to.putShort((short) name.length).putShort((short) (wide + padding));
        to.put(name);
        if (wide > 0) {
            to.putShort((short) ZIP64_ID).putShort((short) 16).putLong(length).putLong(length);
        }
        if (padding > 0) {
            to.putShort((short) PADDING_ID).putShort((short) (padding - LEAST_PADDING));
        }
        return to.array();
    }

    /** The fields that local header and central directory have in common, up to the CRC-32. */
    private static void common(ByteBuffer to, long length, long offset, int crc, int flags) {
        to.putShort((short) (isBig(length) || offset >= MAX32 ? VERSION64 : VERSION));
        to.putShort((short) flags);
        to.putShort((short) STORED);
        to.putShort((short) 0).putShort((short) DATE_1980_01_01);
        to.putInt(crc);
    }

    public static byte[] descriptor(int crc, long length) {
        var bytes = new byte[Math.toIntExact(descriptorBytes(length))];
        ByteBuffer to = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        to.putInt(DESCRIPTOR).putInt(crc);
        if (isBig(length)) {
            to.putLong(length).putLong(length);
        } else {
            to.putInt((int) length).putInt((int) length);
        }
        return bytes;
    }

    /** @param described whether a descriptor follows the data */
    public static byte[] central(byte[] name, int crc, long length, long offset, boolean described) {
        int extra = centralExtraBytes(length, offset);
        var bytes = new byte[Math.toIntExact(centralBytes(name.length, length, offset))];
        ByteBuffer to = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        to.putInt(CENTRAL);
        to.putShort((short) (UNIX << 8 | VERSION64));
        common(to, length, offset, crc, described ? FLAG_DESCRIPTOR | FLAG_UTF8 : FLAG_UTF8);
        to.putInt(capped(length)).putInt(capped(length));
        to.putShort((short) name.length).putShort((short) extra).putShort((short) 0);
        to.putShort((short) 0).putShort((short) 0);
        to.putInt(REGULAR_0644 << 16);
        to.putInt(capped(offset));
        to.put(name);
        if (extra > 0) {
            to.putShort((short) ZIP64_ID).putShort((short) (extra - 4));
            if (isBig(length)) {
                to.putLong(length).putLong(length);
            }
            if (offset >= MAX32) {
                to.putLong(offset);
            }
        }
        return bytes;
    }

    /**
     * Whether these are the numbers of an entry of the central directory that Stoker wrote: other programs tell the time
     * of the file.
     *
     * @param time time and date, as they are stored
     */
    static boolean isPacked(int madeBy, int flags, int method, int time, int mode) {
        return madeBy == UNIX
                && (flags & FLAG_UTF8) != 0
                && method == STORED
                && time == DATE_1980_01_01 << 16
                && mode == REGULAR_0644;
    }

    /** Everything behind the central directory. */
    public static byte[] end(long count, long offset, long length) {
        boolean zip64 = count >= MAX16 || offset >= MAX32 || length >= MAX32;
        var bytes = new byte[Math.toIntExact(END_BYTES + (zip64 ? END64_BYTES + LOCATOR64_BYTES : 0))];
        ByteBuffer to = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (zip64) {
            to.putInt(END64).putLong(END64_BYTES - 12);
            to.putShort((short) (UNIX << 8 | VERSION64)).putShort((short) VERSION64);
            to.putInt(0).putInt(0).putLong(count).putLong(count).putLong(length).putLong(offset);
            to.putInt(LOCATOR64).putInt(0).putLong(offset + length).putInt(1);
        }
        short shown = (short) Math.min(count, MAX16);
        to.putInt(END).putShort((short) 0).putShort((short) 0).putShort(shown).putShort(shown);
        to.putInt(capped(length)).putInt(capped(offset)).putShort((short) 0);
        return bytes;
    }

    private static int capped(long number) {
        return (int) Math.min(number, MAX32);
    }
}
