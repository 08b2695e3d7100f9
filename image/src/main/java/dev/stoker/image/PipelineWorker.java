package dev.stoker.image;

import dev.stoker.image.jpeg.JpegDecoder;
import dev.stoker.image.jpeg.JpegHeader;
import dev.stoker.image.kernel.Kernels;
import dev.stoker.image.transform.TransformRunner;
import java.lang.foreign.MemorySegment;

/** Decodes and transforms pictures for one thread. It keeps its buffers: after a few pictures it allocates no more for JPEGs. */
public final class PipelineWorker {
    private final TransformRunner chain;
    private final PipelineOptions options;
    private final long outputBytes;
    private final JpegDecoder jpeg;
    private final JpegSource jpegSource;
    private final OtherPictures others;

    PipelineWorker(TransformRunner chain, PipelineOptions options, long outputBytes, Kernels kernels) {
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
            source = readJpeg(encoded);
        } else {
            others.decode(encoded, chain.buffer());
            source = chain.buffer();
        }
        chain.apply(source, options.fastScale(), out, at, seed, epoch, sample);
    }

    private PictureSource readJpeg(MemorySegment encoded) {
        JpegHeader header;
        try {
            header = jpeg.read(encoded);
        } catch (ImageException e) {
            // It is not turned: such pictures are rare.
            TurboJpeg.decodeInstead(e, encoded, options.jpeg().maxPixels(), chain.buffer());
            return chain.buffer();
        }
        jpegSource.begin(header.width(), header.height());
        return options.orient() ? chain.orient(jpegSource, header.orientation()) : jpegSource;
    }
}
