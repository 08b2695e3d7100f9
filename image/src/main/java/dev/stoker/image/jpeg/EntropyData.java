package dev.stoker.image.jpeg;

import dev.stoker.image.ImageException;
import dev.stoker.image.kernel.Kernels;
import java.util.Arrays;

/**
 * The entropy-coded data of one scan with the stuffed zero bytes removed, cut into the segments between restart markers. It is
 * followed by zeros, so that reading a little beyond the end is harmless.
 */
final class EntropyData {
    /** More than one block can consume, so that checking once per block is enough. */
    private static final int ZEROS_AFTER = 512;

    private final Kernels kernels;
    byte[] bytes = new byte[1 << 17];
    int length;
    /** Where segment i begins; entry segmentCount is the end. */
    int[] segmentStarts = new int[64];

    int segmentCount;
    /** The place in the input of the marker that ended the scan, or the input's length. */
    int endInInput;

    private final Input in;
    private int scanData;

    EntropyData(Input in, Kernels kernels) {
        this.in = in;
        this.kernels = kernels;
    }

    void read(Scan scan) {
        scanData = scan.data;
        int needed = in.length - scan.data + ZEROS_AFTER + Kernels.SLACK;
        if (bytes.length < needed) {
            bytes = new byte[needed + needed / 2];
        }
        segmentCount = 0;
        length = 0;
        addSegment();
        int at = scan.data;
        while (true) {
            int copied = kernels.copyUntilFF(in.bytes, at, in.length, bytes, length);
            at += copied;
            length += copied;
            int marker = at;
            while (at < in.length && in.bytes[at] == -1) {
                at++;
            }
            if (at >= in.length) {
                endInInput = in.length;
                break;
            }
            int code = in.bytes[at++] & 255;
            if (code == 0) {
                bytes[length++] = -1;
            } else if (code >= 0xD0 && code <= 0xD7) {
                checkSequence(code, marker);
                addSegment();
            } else {
                endInInput = marker;
                break;
            }
        }
        Arrays.fill(bytes, length, length + ZEROS_AFTER, (byte) 0);
        addSegment();
        segmentCount--;
    }

    private void checkSequence(int code, int marker) {
        int expected = 0xD0 + (segmentCount - 1 & 7);
        if (code != expected) {
            throw new ImageException(
                    marker,
                    "restart marker RST" + (code - 0xD0) + " where RST" + (expected - 0xD0)
                            + " should be; a part of the picture is missing");
        }
    }

    private void addSegment() {
        if (segmentCount == segmentStarts.length) {
            segmentStarts = Arrays.copyOf(segmentStarts, segmentCount * 2);
        }
        segmentStarts[segmentCount++] = length;
    }

    /** The place in the input of a byte of this data; for messages only, so it walks. */
    int placeInInput(int offset) {
        int at = scanData;
        for (int i = 0; i < offset && at < in.length - 1; ) {
            boolean stuffed = in.bytes[at] == -1 && in.bytes[at + 1] == 0;
            boolean restart = in.bytes[at] == -1 && (in.bytes[at + 1] & 0xF8) == 0xD0;
            i += restart ? 0 : 1;
            at += stuffed || restart ? 2 : 1;
        }
        return at;
    }
}
