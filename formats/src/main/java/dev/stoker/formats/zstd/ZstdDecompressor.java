package dev.stoker.formats.zstd;

import dev.stoker.pack.Decompressor;
import io.airlift.compress.v3.zstd.ZstdInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;

/** Zstandard: any number of frames, without a dictionary. */
public final class ZstdDecompressor implements Decompressor {
    @Override
    public Set<String> endings() {
        return Set.of(".zst", ".tzst");
    }

    @Override
    public InputStream open(InputStream compressed) {
        return new Checked(new ZstdInputStream(compressed));
    }

    /** Damage is an IOException as everywhere, whichever part of the library found it. */
    private static final class Checked extends FilterInputStream {
        Checked(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int from, int count) throws IOException {
            try {
                return super.read(bytes, from, count);
            } catch (RuntimeException e) { // the library has many ways to refuse
                throw new IOException(
                        "not zstd, damaged, or of a kind that is not supported (" + e.getMessage()
                                + "); check it with: zstd --test, or decompress it first",
                        e);
            }
        }
    }
}
