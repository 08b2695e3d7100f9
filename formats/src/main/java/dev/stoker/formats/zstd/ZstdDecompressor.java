package dev.stoker.formats.zstd;

import dev.stoker.formats.shared.zstd.ZstdFrames;
import dev.stoker.source.Decompressor;
import io.airlift.compress.v3.zstd.ZstdInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;

/** Zstandard: any number of frames, without a dictionary. */
public final class ZstdDecompressor implements Decompressor {
    /** What the program zstd takes too, if it is not asked for more: the decoder keeps as much in memory. */
    private static final long MAX_WINDOW = 128 << 20;

    @Override
    public Set<String> endings() {
        return Set.of(".zst", ".tzst");
    }

    @Override
    public String magic() {
        return "28b52ffd";
    }

    @Override
    public InputStream open(InputStream compressed) {
        return new Checked(new ZstdInputStream(new SmallWindows(compressed)));
    }

    private static int one(InputStream in) throws IOException {
        var one = new byte[1];
        return in.read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /** Passes on what the library reads, and refuses a frame before the library gets memory for its window. */
    private static final class SmallWindows extends InputStream {
        private final InputStream in;
        private final ZstdFrames frames = new ZstdFrames();

        SmallWindows(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            return one(this);
        }

        @Override
        public int read(byte[] bytes, int from, int count) throws IOException {
            int found = in.read(bytes, from, count);
            frames.follow(bytes, from, Math.max(0, found));
            if (Long.compareUnsigned(frames.window(), MAX_WINDOW) > 0) {
                throw new IOException("it needs a window of " + Long.toUnsignedString(frames.window())
                        + " bytes, but Stoker takes at most " + MAX_WINDOW
                        + "; decompress it first, with: zstd -d --long=31, or compress it without --long");
            }
            return found;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    /** Damage is an IOException as everywhere, whichever part of the library found it. */
    private static final class Checked extends FilterInputStream {
        Checked(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            return one(this);
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
