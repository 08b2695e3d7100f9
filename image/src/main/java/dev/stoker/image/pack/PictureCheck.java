package dev.stoker.image.pack;

import dev.stoker.image.OtherPictures;
import dev.stoker.image.jpeg.JpegDecoder;
import dev.stoker.image.jpeg.JpegHeader;
import dev.stoker.image.jpeg.JpegOptions;
import dev.stoker.image.transform.Picture;
import java.lang.foreign.MemorySegment;

/** Decodes whole pictures to see whether that can be done. For one thread. */
final class PictureCheck {
    private final JpegDecoder jpeg = new JpegDecoder();
    private final OtherPictures others = new OtherPictures(JpegOptions.DEFAULT.maxPixels());
    private final Picture picture = new Picture();

    void decode(MemorySegment encoded) {
        if (JpegDecoder.isJpeg(encoded)) {
            JpegHeader header = jpeg.read(encoded);
            jpeg.prepare(1, 0, 0, header.width(), header.height());
        } else {
            others.decode(encoded, picture);
        }
    }
}
