package dev.stoker.formats.squashfs;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The little of tar that sqfstar needs: regular files, with a pax header where name or size are too long for ustar. */
final class TarStream {
    static final int BLOCK = 512;

    private static final int NAME_BYTES = 100;
    private static final long MAX_SIZE = 1L << 33;

    private TarStream() {}

    static int padding(long length) {
        return (int) (-length & (BLOCK - 1));
    }

    /** Everything before the content of a file. */
    static byte[] header(byte[] name, long length) {
        var out = new ByteArrayOutputStream();
        if (name.length > NAME_BYTES || length >= MAX_SIZE) {
            var records = new ByteArrayOutputStream();
            records.writeBytes(record("path", name));
            records.writeBytes(record("size", Long.toString(length).getBytes(StandardCharsets.US_ASCII)));
            out.writeBytes(block("pax".getBytes(StandardCharsets.US_ASCII), records.size(), 'x'));
            out.writeBytes(records.toByteArray());
            out.writeBytes(new byte[padding(records.size())]);
        }
        out.writeBytes(block(name, length < MAX_SIZE ? length : 0, '0'));
        return out.toByteArray();
    }

    /** "LENGTH KEYWORD=VALUE\n", where the length counts itself. */
    private static byte[] record(String keyword, byte[] value) {
        int rest = keyword.length() + value.length + 3;
        int length = rest + Integer.toString(rest).length();
        length = rest + Integer.toString(length).length();
        var out = new ByteArrayOutputStream();
        out.writeBytes((length + " " + keyword + "=").getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(value);
        out.write('\n');
        return out.toByteArray();
    }

    private static byte[] block(byte[] name, long length, char type) {
        var block = new byte[BLOCK];
        System.arraycopy(name, 0, block, 0, Math.min(name.length, NAME_BYTES));
        put(block, 100, "0000644\0" + "0000000\0" + "0000000\0");
        put(block, 124, "%011o\0".formatted(length) + "%011o\0".formatted(0) + "        " + type);
        put(block, 257, "ustar\00000");
        int sum = 0;
        for (byte b : block) {
            sum += b & 0xff;
        }
        put(block, 148, "%06o\0 ".formatted(sum));
        return block;
    }

    private static void put(byte[] block, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, block, at, bytes.length);
    }
}
