package dev.stoker.formats.shared.tar;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The header blocks of one member as Stoker writes them: ustar, with a pax header before it where name or size do not
 * fit. Nothing in it comes from a clock or a host.
 *
 * <pre>
 *   0 name[100]   100 mode[8]   108 uid[8]   116 gid[8]     124 size[12]     136 mtime[12]    148 chksum[8]
 * 156 typeflag    157 linkname[100]          257 "ustar\0"  263 "00"         265 uname[32]    297 gname[32]
 * 329 devmajor[8] 337 devminor[8]            345 prefix[155] 500 zeros[12]
 * </pre>
 */
public final class TarHeader {
    public static final int BLOCK = 512;
    public static final int NAME_BYTES = 100;
    public static final int SIZE = 124;
    public static final int CHECKSUM = 148;
    public static final int TYPE = 156;
    public static final int LINK_NAME = 157;
    public static final int MAGIC = 257;
    public static final int PREFIX = 345;
    public static final int PREFIX_BYTES = 155;

    /** The largest size of eleven octal digits: 8 GiB - 1. */
    public static final long MAX_OCTAL_SIZE = (1L << 33) - 1;

    private static final byte[] BLANK = blank();
    private static final int BLANK_SUM = sum(BLANK, 0, BLOCK);

    private TarHeader() {}

    /** The header of a file. */
    public static byte[] file(byte[] name, long size) {
        int split = isAscii(name) ? split(name) : -1;
        if (split >= 0 && size <= MAX_OCTAL_SIZE) {
            return ustar(name, split, size, '0');
        }
        var records = new ByteArrayOutputStream();
        if (split < 0) {
            records.writeBytes(record("path", name));
        }
        if (size > MAX_OCTAL_SIZE) {
            records.writeBytes(record("size", Long.toString(size).getBytes(StandardCharsets.US_ASCII)));
        }
        var blocks = new ByteArrayOutputStream();
        blocks.writeBytes(pax(records.toByteArray(), 'x'));
        byte[] shortName = split < 0 ? shortened(name) : name;
        blocks.writeBytes(ustar(shortName, Math.max(split, 0), size <= MAX_OCTAL_SIZE ? size : 0, '0'));
        return blocks.toByteArray();
    }

    /** A global pax header with one comment, which every reader of tar skips in silence. */
    public static byte[] comment(byte[] text) {
        return pax(record("comment", text), 'g');
    }

    private static byte[] pax(byte[] records, char type) {
        byte[] header = ustar("PaxHeader".getBytes(StandardCharsets.US_ASCII), 0, records.length, type);
        byte[] blocks = Arrays.copyOf(header, BLOCK + (records.length + BLOCK - 1) / BLOCK * BLOCK);
        System.arraycopy(records, 0, blocks, BLOCK, records.length);
        return blocks;
    }

    /** {@code LENGTH KEYWORD=VALUE\n}, where the length counts its own digits too. */
    private static byte[] record(String keyword, byte[] value) {
        int rest = 1 + keyword.length() + 1 + value.length + 1;
        int length = rest + Integer.toString(rest).length();
        length = rest + Integer.toString(length).length();
        var record = new ByteArrayOutputStream();
        record.writeBytes((length + " " + keyword + "=").getBytes(StandardCharsets.US_ASCII));
        record.writeBytes(value);
        record.write('\n');
        return record.toByteArray();
    }

    /** Where a name is split: 0 if all of it fits, else the slash between prefix and name; -1 if it fits nowhere. */
    private static int split(byte[] name) {
        if (name.length <= NAME_BYTES) {
            return 0;
        }
        for (int i = Math.max(1, name.length - NAME_BYTES - 1); i <= Math.min(PREFIX_BYTES, name.length - 2); i++) {
            if (name[i] == '/') {
                return i;
            }
        }
        return -1;
    }

    private static boolean isAscii(byte[] name) {
        for (byte b : name) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }

    /** What a reader without pax sees of a name that does not fit. */
    private static byte[] shortened(byte[] name) {
        byte[] cut = Arrays.copyOf(name, Math.min(name.length, NAME_BYTES));
        for (int i = 0; i < cut.length; i++) {
            if (cut[i] < 0 || (cut[i] == '/' && i == cut.length - 1)) {
                cut[i] = '_';
            }
        }
        return cut;
    }

    private static byte[] ustar(byte[] name, int split, long size, char type) {
        byte[] header = BLANK.clone();
        int start = split == 0 ? 0 : split + 1;
        System.arraycopy(name, start, header, 0, name.length - start);
        System.arraycopy(name, 0, header, PREFIX, split);
        putOctal(header, SIZE, 12, size);
        header[TYPE] = (byte) type;
        int sum = BLANK_SUM + type + sum(header, SIZE, SIZE + 12) + sum(name, 0, split) + sum(name, start, name.length);
        putOctal(header, CHECKSUM, 7, sum);
        return header;
    }

    /** What is the same in all headers. */
    private static byte[] blank() {
        var header = new byte[BLOCK];
        putOctal(header, 100, 8, 0644);
        putOctal(header, 108, 8, 0);
        putOctal(header, 116, 8, 0);
        putOctal(header, 136, 12, 0);
        put(header, MAGIC, "ustar\00000");
        putOctal(header, 329, 8, 0);
        putOctal(header, 337, 8, 0);
        put(header, CHECKSUM, "        ");
        return header;
    }

    private static int sum(byte[] bytes, int from, int to) {
        int sum = 0;
        for (int i = from; i < to; i++) {
            sum += bytes[i] & 0xff;
        }
        return sum;
    }

    /** Octal digits and a NUL. */
    private static void putOctal(byte[] header, int at, int width, long value) {
        long rest = value;
        for (int i = at + width - 2; i >= at; i--) {
            header[i] = (byte) ('0' + (rest & 7));
            rest >>>= 3;
        }
        header[at + width - 1] = 0;
    }

    private static void put(byte[] header, int at, String text) {
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(ascii, 0, header, at, ascii.length);
    }
}
