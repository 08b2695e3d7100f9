package dev.stoker.block;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * LZF, as h5py writes it. A control byte below 32 is followed by that many bytes and one more, to be taken as they are;
 * any other is a length (its three high bits, and a byte more if they are all set) and a distance (its five low bits
 * and the next byte) of bytes to repeat.
 */
final class LzfCodec implements Codec {
    private static final int LONGEST_SHORT = 7;

    @Override
    public String name() {
        return "lzf";
    }

    @Override
    public long mostBytes(long stored) {
        // Three bytes stand for 264 at most.
        return (stored + 1) * 264 / 3;
    }

    @Override
    public void decode(MemorySegment stored, MemorySegment to, long[] numbers) throws IOException {
        byte[] in = stored.toArray(ValueLayout.JAVA_BYTE);
        var out = new byte[(int) to.byteSize()];
        try {
            int made = decode(in, out);
            if (made != out.length) {
                throw new IOException("it should make " + out.length + " bytes but makes " + made);
            }
        } catch (IndexOutOfBoundsException e) {
            throw new IOException("it is cut off, or makes more than the " + out.length + " bytes that it should", e);
        }
        MemorySegment.copy(out, 0, to, ValueLayout.JAVA_BYTE, 0, out.length);
    }

    private static int decode(byte[] in, byte[] out) {
        int from = 0;
        int at = 0;
        while (from < in.length) {
            int control = in[from++] & 0xff;
            if (control < 32) {
                System.arraycopy(in, from, out, at, control + 1);
                from += control + 1;
                at += control + 1;
                continue;
            }
            int length = control >> 5;
            if (length == LONGEST_SHORT) {
                length += in[from++] & 0xff;
            }
            int back = at - ((control & 31) << 8) - (in[from++] & 0xff) - 1;
            // Byte by byte: what is repeated may reach into what it makes.
            for (int i = 0; i < length + 2; i++) {
                out[at++] = out[back++];
            }
        }
        return at;
    }
}
