package dev.stoker.formats.codec;

import io.airlift.compress.v3.xxhash.XxHash32JavaHasher;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Writes frames of LZ4 whose blocks refer to those before them, which no library here does. */
final class LinkedFrames {
    private static final int BLOCK = 1 << 16;
    private static final int WINDOW = (1 << 16) - 1;
    /** A block ends with literals. */
    private static final int TAIL = 12;

    private final byte[] plain;
    private final Map<Integer, Integer> last = new HashMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private LinkedFrames(byte[] plain) {
        this.plain = plain;
    }

    /** @param checked whether the frame has checksums and its size */
    static byte[] of(byte[] plain, boolean checked) {
        return new LinkedFrames(plain).frame(checked);
    }

    private byte[] frame(boolean checked) {
        u32(out, 0x184d2204);
        var head = new ByteArrayOutputStream();
        head.write(checked ? 0x5c : 0x40);
        head.write(0x40);
        if (checked) {
            u32(head, plain.length);
            u32(head, 0);
        }
        out.writeBytes(head.toByteArray());
        out.write(XxHash32JavaHasher.hash(head.toByteArray(), 0, head.size(), 0) >> 8);
        for (int from = 0; from < plain.length; from += BLOCK) {
            int to = Math.min(plain.length, from + BLOCK);
            byte[] block = block(from, to);
            boolean isAsItIs = block.length >= to - from;
            block = isAsItIs ? Arrays.copyOfRange(plain, from, to) : block;
            u32(out, block.length | (isAsItIs ? 1 << 31 : 0));
            out.writeBytes(block);
            if (checked) {
                u32(out, XxHash32JavaHasher.hash(block, 0, block.length, 0));
            }
        }
        u32(out, 0);
        if (checked) {
            u32(out, XxHash32JavaHasher.hash(plain, 0, plain.length, 0));
        }
        return out.toByteArray();
    }

    private byte[] block(int from, int to) {
        var block = new ByteArrayOutputStream();
        int literals = from;
        for (int at = from; at < to - TAIL; ) {
            Integer before = last.put(ByteBuffer.wrap(plain).getInt(at), at);
            if (before == null || at - before > WINDOW) {
                at++;
                continue;
            }
            int length = 4;
            while (at + length < to - 5 && plain[before + length] == plain[at + length]) {
                length++;
            }
            sequence(block, literals, at, length - 4);
            block.write(at - before);
            block.write(at - before >> 8);
            more(block, length - 4);
            at += length;
            literals = at;
        }
        sequence(block, literals, to, 0);
        return block.toByteArray();
    }

    private void sequence(ByteArrayOutputStream block, int from, int to, int match) {
        block.write(Math.min(15, to - from) << 4 | Math.min(15, match));
        more(block, to - from);
        block.write(plain, from, to - from);
    }

    private static void more(ByteArrayOutputStream block, int length) {
        for (int left = length - 15; left >= 0; left -= 255) {
            block.write(Math.min(255, left));
        }
    }

    private static void u32(ByteArrayOutputStream to, int number) {
        to.writeBytes(ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(number)
                .array());
    }
}
