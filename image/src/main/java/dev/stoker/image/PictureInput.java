package dev.stoker.image;

import javax.imageio.stream.ImageInputStreamImpl;

/**
 * An encoded picture for ImageIO. Readers that continue past the end, pixel by pixel, are stopped: one of them takes
 * minutes for a few bytes that claim to be a large picture.
 */
final class PictureInput extends ImageInputStreamImpl {
    private static final int MOST_BEHIND_END = 1000;

    private final byte[] bytes;
    private int behindEnd;

    PictureInput(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public int read() {
        bitOffset = 0;
        return streamPos < bytes.length ? bytes[(int) streamPos++] & 0xff : end();
    }

    @Override
    public int read(byte[] to, int offset, int length) {
        bitOffset = 0;
        if (streamPos >= bytes.length && length > 0) {
            return end();
        }
        int count = (int) Math.min(length, bytes.length - streamPos);
        System.arraycopy(bytes, (int) streamPos, to, offset, count);
        streamPos += count;
        return count;
    }

    private int end() {
        if (++behindEnd > MOST_BEHIND_END) {
            throw new ImageException(bytes.length, "the picture data continues past its end; it is cut off or damaged");
        }
        return -1;
    }

    @Override
    public long length() {
        return bytes.length;
    }
}
