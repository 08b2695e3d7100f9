package dev.stoker.image.jpeg;

import dev.stoker.image.ImageException;
import dev.stoker.image.kernel.Kernels;
import java.util.Arrays;

/** Decodes one scan of several, progressive or sequential, into the {@link CoefficientStore}. */
final class BufferedScan {
    private final EntropyData data;
    private final CoefficientStore store;
    private final boolean acceptTruncated;
    private final int[] dc = new int[4];
    private final int[] sequential = new int[BlockDecoder.ARRAY_LENGTH];

    private Scan scan = new Scan();
    private JpegHeader header = new JpegHeader();
    private boolean progressive;
    private int segment;
    private int position;
    private int limit;
    private int emptyBlocks;
    private boolean exhausted;

    BufferedScan(EntropyData data, CoefficientStore store, boolean acceptTruncated) {
        this.data = data;
        this.store = store;
        this.acceptTruncated = acceptTruncated;
    }

    /** False if the data ended before the scan was complete, and truncated pictures are accepted. */
    boolean decode(JpegHeader header, Scan scan) {
        this.header = header;
        this.scan = scan;
        progressive = header.progressive;
        exhausted = false;
        check();
        enterSegment(0);
        if (scan.componentCount == 1) {
            separate(scan.components[0]);
        } else {
            interleaved();
        }
        return !exhausted;
    }

    private void check() {
        int start = scan.spectralStart, end = scan.spectralEnd;
        int high = scan.approximationHigh, low = scan.approximationLow;
        boolean fits = start == 0 ? end == 0 : start <= end && end < 64 && scan.componentCount == 1;
        if (progressive && (!fits || low > 13 || high != 0 && high != low + 1)) {
            throw new ImageException(
                    scan.marker,
                    "a progressive scan of coefficients " + start + " to " + end + ", bits " + high + " to " + low
                            + ", of " + scan.componentCount + " components is not allowed");
        }
        for (int i = 0; i < scan.componentCount; i++) {
            boolean needsDc = start == 0 && high == 0;
            if ((!progressive || needsDc) && !scan.components[i].dcTable.suitsDc()) {
                throw new ImageException(
                        scan.marker, "a DC Huffman table has symbols above 11, which 8-bit JPEG does not have");
            }
            if (!progressive) {
                scan.components[i].acTable.prepareAc(false);
            }
        }
    }

    private int indexOf(Component c) {
        for (int i = 0; i < header.componentCount; i++) {
            if (header.components[i] == c) {
                return i;
            }
        }
        throw new IllegalArgumentException("not a component of this picture");
    }

    /** The blocks of one component, row by row, without those that only fill up MCUs. */
    private void separate(Component c) {
        int index = indexOf(c);
        int across = JpegHeader.ceil(JpegHeader.ceil(header.width * c.h, header.maxH), 8);
        int down = JpegHeader.ceil(JpegHeader.ceil(header.height * c.v, header.maxV), 8);
        int done = 0;
        for (int y = 0; y < down; y++) {
            for (int x = 0; x < across && !exhausted; x++) {
                restartBefore(done++);
                block(c, index, x, y, 0);
            }
        }
    }

    private void interleaved() {
        int across = header.mcusAcross();
        int down = header.mcusDown();
        int done = 0;
        for (int y = 0; y < down; y++) {
            for (int x = 0; x < across && !exhausted; x++) {
                restartBefore(done++);
                for (int i = 0; i < scan.componentCount; i++) {
                    Component c = scan.components[i];
                    int index = indexOf(c);
                    for (int b = 0; b < c.h * c.v && !exhausted; b++) {
                        block(c, index, x * c.h + b % c.h, y * c.v + b / c.h, i);
                    }
                }
            }
        }
    }

    private void restartBefore(int mcu) {
        if (header.restartInterval != 0 && mcu != 0 && mcu % header.restartInterval == 0) {
            enterSegment(segment + 1);
        }
    }

    private void enterSegment(int number) {
        segment = number;
        emptyBlocks = 0;
        Arrays.fill(dc, 0);
        if (number >= data.segmentCount) {
            end(data.length * 8);
            return;
        }
        position = data.segmentStarts[number] * 8;
        limit = data.segmentStarts[number + 1] * 8;
    }

    private void block(Component c, int index, int x, int y, int dcIndex) {
        if (exhausted) {
            return;
        }
        short[] out = store.of(index);
        int at = store.place(index, x, y);
        int before = position;
        long result = !progressive
                ? sequential(c, out, at, dcIndex)
                : scan.spectralStart == 0 ? dcBlock(c, out, at, dcIndex) : acBlock(c, out, at);
        if (Integer.compareUnsigned((int) result, limit) > 0) {
            fail((int) result, before);
            return;
        }
        position = (int) result;
    }

    private long dcBlock(Component c, short[] out, int at, int dcIndex) {
        if (scan.approximationHigh != 0) {
            return ProgressiveBlock.dcRefine(data.bytes, out, at, scan.approximationLow, position);
        }
        long result =
                ProgressiveBlock.dcFirst(data.bytes, c.dcTable, out, at, scan.approximationLow, position, dc[dcIndex]);
        dc[dcIndex] = (int) (result >> 32);
        return result;
    }

    private long acBlock(Component c, short[] out, int at) {
        int low = scan.approximationLow;
        if (scan.approximationHigh == 0 && emptyBlocks > 0) {
            emptyBlocks--;
            return position;
        }
        long result = scan.approximationHigh == 0
                ? ProgressiveBlock.acFirst(
                        data.bytes, c.acTable, out, at, scan.spectralStart, scan.spectralEnd, low, position)
                : ProgressiveBlock.acRefine(
                        data.bytes,
                        c.acTable,
                        out,
                        at,
                        scan.spectralStart,
                        scan.spectralEnd,
                        low,
                        position,
                        emptyBlocks);
        emptyBlocks = (int) (result >> 32);
        return result;
    }

    private long sequential(Component c, short[] out, int at, int dcIndex) {
        long result = BlockDecoder.decode(
                data.bytes, c.dcTable.symbols, c.acTable.pairs, sequential, 0, position, dc[dcIndex]);
        dc[dcIndex] = (int) (result >> 32);
        for (int k = 0; k < 64 * Kernels.LANES; k += Kernels.LANES) {
            out[at + k] = (short) sequential[k];
            sequential[k] = 0;
        }
        return result;
    }

    private void fail(int result, int before) {
        boolean lastSegment = segment >= data.segmentCount - 1;
        if (!lastSegment || result == BlockDecoder.DAMAGED && before < limit - 8 * 256) {
            throw new ImageException(
                    data.placeInInput(before >>> 3),
                    "no such Huffman code, or a restart marker too early, in the block that begins here; the data is damaged");
        }
        end(before);
    }

    private void end(int before) {
        if (!acceptTruncated) {
            throw new ImageException(
                    data.placeInInput(before >>> 3), "the data of a scan ends here; the picture is truncated");
        }
        exhausted = true;
    }
}
