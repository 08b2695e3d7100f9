package dev.stoker.image;

import dev.stoker.image.jpeg.JpegDecoder;
import dev.stoker.image.jpeg.JpegHeader;
import dev.stoker.image.kernel.Kernels;
import dev.stoker.image.transform.Chain;
import dev.stoker.image.transform.Shrinkable;
import java.lang.foreign.MemorySegment;

/** Decodes and transforms pictures for one thread. It keeps its buffers: after a few pictures it allocates no more for JPEGs. */
public final class PipelineWorker {
    private final Chain chain;
    private final PipelineOptions options;
    private final long outputBytes;
    private final JpegDecoder jpeg;
    private final JpegSource jpegSource;
    private final OtherPictures others;

    PipelineWorker(Chain chain, PipelineOptions options, long outputBytes, Kernels kernels) {
        this.chain = chain;
        this.options = options;
        this.outputBytes = outputBytes;
        jpeg = new JpegDecoder(options.jpeg(), kernels);
        jpegSource = new JpegSource(jpeg);
        others = new OtherPictures(options.jpeg().maxPixels());
    }

    /**
     * Writes one picture to {@code out}, from {@code at} on. The result depends on the bytes and (seed, epoch, sample) alone.
     *
     * @throws ImageException if the picture cannot be decoded; the slot's content is then undefined
     */
    public void run(MemorySegment encoded, MemorySegment out, long at, long seed, long epoch, long sample) {
        if (at < 0 || at > out.byteSize() - outputBytes) {
            throw new IllegalArgumentException("a slot of " + outputBytes + " bytes at " + at
                    + " is not inside a batch of " + out.byteSize() + " bytes");
        }
        PictureSource source;
        if (JpegDecoder.isJpeg(encoded)) {
            JpegHeader header = jpeg.read(encoded);
            jpegSource.begin(header.width(), header.height());
            source = options.orient() ? chain.orient(jpegSource, header.orientation()) : jpegSource;
        } else {
            others.decode(encoded, chain.buffer());
            source = chain.buffer();
        }
        chain.apply(source, options.fastScale(), out, at, seed, epoch, sample);
    }

    /** The picture that the decoder has read. */
    private static final class JpegSource implements PictureSource, Shrinkable {
        private final JpegDecoder decoder;
        private int width;
        private int height;
        private int shrink;

        JpegSource(JpegDecoder decoder) {
            this.decoder = decoder;
        }

        void begin(int width, int height) {
            this.width = width;
            this.height = height;
            shrink = 1;
        }

        @Override
        public int width() {
            return width;
        }

        @Override
        public int height() {
            return height;
        }

        @Override
        public void shrink(int by) {
            shrink = by;
        }

        @Override
        public void prepare(int x, int y, int width, int height) {
            decoder.prepare(shrink, x, y, width, height);
        }

        @Override
        public void row(int y, byte[] red, byte[] green, byte[] blue) {
            decoder.row(y, red, green, blue);
        }
    }
}
