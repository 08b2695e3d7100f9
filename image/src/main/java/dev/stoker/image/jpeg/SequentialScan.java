package dev.stoker.image.jpeg;

import dev.stoker.image.ImageException;
import dev.stoker.image.kernel.Kernels;
import java.util.Arrays;

/**
 * Decodes the one scan of a sequential picture straight into the planes, eight MCUs at a time, and skips the MCUs outside the
 * region: with restart markers by jumping to their segment, else by reading their Huffman codes without their values.
 *
 * <p>The blocks of eight MCUs that lie in one row of a component are 8, 16, 24 or 32 neighbours: halves of groups of 16
 * lanes, each of which is transformed at once.
 */
final class SequentialScan {
    private static final int MAX_BLOCKS = 10;
    /** No block has more bits; where the data of a truncated picture ends, anything may happen this far before. */
    private static final int MAX_BLOCK_BITS = 1700;

    private final EntropyData data;
    private final BlockTransform transform;
    private final boolean acceptTruncated;

    private final int[][] groups = new int[MAX_BLOCKS / 2][BlockDecoder.ARRAY_LENGTH];
    private final int[][] groupQuantisers = new int[MAX_BLOCKS / 2][64 * Kernels.LANES];
    private int halfCount;
    private final Component[] halfComponent = new Component[MAX_BLOCKS + 1];
    private final int[] halfRow = new int[MAX_BLOCKS];
    private final int[] halfColumn = new int[MAX_BLOCKS];

    private int blockCount;
    private final int[] blockDc = new int[MAX_BLOCKS];
    private final char[][] blockSymbols = new char[MAX_BLOCKS][];
    private final long[][] blockPairs = new long[MAX_BLOCKS][];
    private final char[][] blockSkips = new char[MAX_BLOCKS][];
    /** For block b of the batch's MCU m, at b * BATCH + m. */
    private final int[][] blockArray = new int[MAX_BLOCKS * Region.BATCH][];

    private final int[] blockLane = new int[MAX_BLOCKS * Region.BATCH];

    private final int[] dc = new int[4];
    private int interval;
    private int segment;
    private int mcu;
    private int position;
    private int limit;
    private boolean exhausted;

    SequentialScan(EntropyData data, BlockTransform transform, boolean acceptTruncated) {
        this.data = data;
        this.transform = transform;
        this.acceptTruncated = acceptTruncated;
    }

    void decode(JpegHeader header, Scan scan, Region region) {
        layOut(header, scan, region);
        int across = header.mcusAcross();
        interval = header.restartInterval == 0 ? Integer.MAX_VALUE : header.restartInterval;
        exhausted = false;
        enterSegment(0);
        try {
            for (int y = region.mcuY0; y < region.mcuY1; y++) {
                for (int x = region.mcuX0; x < region.mcuX1; x += Region.BATCH) {
                    decodeMcus(y * across + x, Math.min(Region.BATCH, region.mcuX1 - x));
                    transform(region, x, y);
                }
            }
        } catch (ImageException e) {
            for (int[] group : groups) {
                Arrays.fill(group, 0, 64 * Kernels.LANES, 0);
            }
            throw e;
        }
    }

    private void layOut(JpegHeader header, Scan scan, Region region) {
        halfCount = 0;
        blockCount = 0;
        boolean skipping = (region.mcuX1 - region.mcuX0) * 4 < header.mcusAcross() * 3
                || (region.mcuY1 - region.mcuY0) * 4 < header.mcusDown() * 3;
        for (int i = 0; i < scan.componentCount; i++) {
            Component c = scan.components[i];
            c.acTable.prepareAc(skipping);
            for (int row = 0; row < c.v; row++) {
                for (int column = 0; column < c.h; column++) {
                    layOutBlock(c, i, column);
                }
                for (int column = 0; column < c.h; column++) {
                    halfComponent[halfCount] = c;
                    halfRow[halfCount] = row;
                    halfColumn[halfCount] = column;
                    BlockTransform.spread(c.quantisers, groupQuantisers[halfCount >> 1], (halfCount & 1) * 8);
                    halfCount++;
                }
            }
        }
    }

    private void layOutBlock(Component c, int dcIndex, int column) {
        blockDc[blockCount] = dcIndex;
        blockSymbols[blockCount] = c.dcTable.symbols;
        blockPairs[blockCount] = c.acTable.pairs;
        blockSkips[blockCount] = c.acTable.skips;
        for (int m = 0; m < Region.BATCH; m++) {
            int neighbour = m * c.h + column;
            int half = halfCount + (neighbour >> 3);
            blockArray[blockCount * Region.BATCH + m] = groups[half >> 1];
            blockLane[blockCount * Region.BATCH + m] = (half & 1) * 8 + (neighbour & 7);
        }
        blockCount++;
    }

    private void enterSegment(int number) {
        segment = number;
        mcu = number == 0 ? 0 : number * interval;
        Arrays.fill(dc, 0);
        if (number >= data.segmentCount) {
            position = data.length * 8;
            limit = position;
            endOfData(position);
            return;
        }
        position = data.segmentStarts[number] * 8;
        limit = data.segmentStarts[number + 1] * 8;
    }

    private void decodeMcus(int first, int count) {
        for (int m = 0; m < count && !exhausted; ) {
            int target = first + m;
            if (target / interval != segment) {
                enterSegment(target / interval);
            }
            skipMcus(target - mcu);
            int run = Math.min(count - m, interval - (target - segment * interval));
            decodeRun(m, run);
            m += run;
        }
    }

    private void decodeRun(int first, int count) {
        if (exhausted) {
            return;
        }
        final byte[] bytes = data.bytes;
        int position = this.position;
        for (int m = first; m < first + count; m++) {
            for (int b = 0; b < blockCount; b++) {
                int[] array = blockArray[b * Region.BATCH + m];
                int lane = blockLane[b * Region.BATCH + m];
                int c = blockDc[b];
                long result = BlockDecoder.decode(bytes, blockSymbols[b], blockPairs[b], array, lane, position, dc[c]);
                if (Integer.compareUnsigned((int) result, limit) > 0) {
                    fail((int) result, position);
                    for (int k = 0; k < 64; k++) {
                        array[k * Kernels.LANES + lane] = 0;
                    }
                    return;
                }
                position = (int) result;
                dc[c] = (int) (result >> 32);
            }
            mcu++;
        }
        this.position = position;
    }

    @SuppressWarnings("ReferenceEquality") // NO_SKIPS is one object, and this is the hot path
    private void skipMcus(int count) {
        final byte[] bytes = data.bytes;
        int position = this.position;
        for (int m = 0; m < count && !exhausted; m++) {
            for (int b = 0; b < blockCount; b++) {
                int c = blockDc[b];
                long result = blockSkips[b] == HuffmanTable.NO_SKIPS
                        ? BlockDecoder.skipByPairs(bytes, blockSymbols[b], blockPairs[b], position, dc[c])
                        : BlockDecoder.skip(bytes, blockSymbols[b], blockSkips[b], blockPairs[b], position, dc[c]);
                if (Integer.compareUnsigned((int) result, limit) > 0) {
                    fail((int) result, position);
                    return;
                }
                position = (int) result;
                dc[c] = (int) (result >> 32);
            }
            mcu++;
        }
        this.position = position;
    }

    private void fail(int result, int blockStart) {
        boolean lastSegment = segment >= data.segmentCount - 1;
        boolean atEnd = lastSegment && blockStart > limit - MAX_BLOCK_BITS;
        if (result == BlockDecoder.DAMAGED && !atEnd) {
            throw new ImageException(
                    data.placeInInput(blockStart >>> 3),
                    "no such Huffman code, or more than 64 coefficients, in the block that begins here (MCU " + mcu
                            + "); the data is damaged");
        }
        if (!lastSegment) {
            throw new ImageException(
                    data.placeInInput(blockStart >>> 3),
                    "a restart marker comes before its interval is complete (MCU " + mcu + "); the data is damaged");
        }
        endOfData(blockStart);
    }

    private void endOfData(int blockStart) {
        if (!acceptTruncated) {
            throw new ImageException(
                    data.placeInInput(blockStart >>> 3),
                    "the data ends here, at MCU " + mcu + "; the picture is truncated");
        }
        exhausted = true;
    }

    private void transform(Region region, int x, int y) {
        for (int half = 0; half < halfCount; half += 2) {
            Component a = halfComponent[half];
            Component b = half + 1 < halfCount ? halfComponent[half + 1] : null;
            int atB = b == null ? 0 : place(region, half + 1, b, x, y);
            transform.apply(groups[half >> 1], groupQuantisers[half >> 1], a, place(region, half, a, x, y), b, atB);
        }
    }

    private int place(Region region, int half, Component c, int x, int y) {
        int row = ((y - region.mcuY0) * c.v + halfRow[half]) * c.blockSize;
        int column = ((x - region.mcuX0) * c.h + halfColumn[half] * 8) * c.blockSize;
        return row * c.stride + column;
    }
}
