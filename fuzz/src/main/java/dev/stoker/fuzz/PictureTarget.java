package dev.stoker.fuzz;

import dev.stoker.image.ImageException;
import dev.stoker.image.OtherPictures;
import dev.stoker.image.jpeg.JpegOptions;
import dev.stoker.image.transform.Picture;

/** Pictures that are not JPEG. */
final class PictureTarget implements Target {
    private final Memory memory = new Memory();
    private final OtherPictures pictures = new OtherPictures(JpegOptions.DEFAULT.maxPixels());

    @Override
    public String name() {
        return "picture";
    }

    @Override
    public void read(byte[] input) {
        pictures.decode(memory.of(input), new Picture());
    }

    @Override
    public long mostAllocated() {
        return 256 << 20; // 16 million pixels, twice
    }

    @Override
    public boolean isRefusal(Throwable failure) {
        return failure instanceof ImageException;
    }
}
