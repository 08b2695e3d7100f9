package dev.stoker.image.jpeg;

import dev.stoker.image.ImageException;
import dev.stoker.image.kernel.Kernels;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Puts restart markers into JPEGs, without loss: every coefficient stays, only the DC values after a marker are coded anew,
 * since they count from zero there. A decoder can then jump to the part that a crop needs. One per thread.
 */
public final class RestartInserter {
    private static final int MAX_INTERVAL = 65_535;

    private final int interval;
    private final Input in = new Input();
    private final JpegHeader header = new JpegHeader();
    private final Markers markers = new Markers(in, header, new HuffmanCache());
    private final EntropyData data = new EntropyData(in, Kernels.scalar());
    private final StuffedBits out = new StuffedBits();
    private final int[] dc = new int[4];

    /** @param interval MCUs between markers: 16 x 16 pixels each in most photographs */
    public RestartInserter(int interval) {
        if (interval < 1 || interval > MAX_INTERVAL) {
            throw new IllegalArgumentException(
                    "a restart interval is a number from 1 to " + MAX_INTERVAL + ", not " + interval);
        }
        this.interval = interval;
    }

    /**
     * The picture with markers; null if it has to stay as it is: it has markers already, is no larger than the interval, is
     * progressive or in several scans, or its Huffman table has no code for a value that would be needed.
     *
     * @throws ImageException if the picture is damaged
     */
    public byte @Nullable [] insert(MemorySegment encoded) {
        in.set(encoded);
        Scan scan = markers.readHeader();
        int mcus = Math.multiplyExact(header.mcusAcross(), header.mcusDown());
        boolean suits = !header.progressive && scan.componentCount == header.componentCount;
        if (!suits || header.restartInterval != 0 || mcus <= interval) {
            return null;
        }
        data.read(scan);
        if (data.segmentCount != 1) {
            return null; // markers that the header does not announce
        }
        out.begin(in.bytes, 0, scan.marker);
        out.raw(new byte[] {-1, (byte) 0xDD, 0, 4, (byte) (interval >> 8), (byte) interval}, 0, 6);
        out.raw(in.bytes, scan.marker, scan.data - scan.marker);
        if (!code(scan, mcus)) {
            return null;
        }
        out.fill();
        out.raw(in.bytes, data.endInInput, in.length - data.endInInput);
        return Arrays.copyOf(out.bytes, out.length);
    }

    private boolean code(Scan scan, int mcus) {
        for (int i = 0; i < scan.componentCount; i++) {
            scan.components[i].acTable.prepareAc(false);
            if (!scan.components[i].dcTable.suitsDc()) {
                throw new ImageException(
                        scan.marker, "a DC Huffman table has symbols above 11, which 8-bit JPEG does not have");
            }
        }
        Arrays.fill(dc, 0);
        int position = 0;
        for (int mcu = 0; mcu < mcus; mcu++) {
            boolean first = mcu % interval == 0;
            if (first && mcu > 0) {
                out.fill();
                out.raw(new byte[] {-1, (byte) (0xD0 + (mcu / interval - 1 & 7))}, 0, 2);
            }
            for (int i = 0; i < scan.componentCount; i++) {
                Component c = scan.components[i];
                for (int block = 0; block < c.h * c.v; block++) {
                    position = block(c, i, first && block == 0, position, mcu);
                    if (position < 0) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** Copies a block; returns the position after it, or -1 if its DC value has no code. */
    private int block(Component c, int i, boolean first, int position, int mcu) {
        int before = dc[i];
        long result = BlockDecoder.skipByPairs(data.bytes, c.dcTable.symbols, c.acTable.pairs, position, before);
        int end = (int) result;
        if (Integer.compareUnsigned(end, data.length * 8) > 0) {
            throw new ImageException(
                    data.placeInInput(position >>> 3),
                    "the data is damaged or ends in the block that begins here (MCU " + mcu + ")");
        }
        dc[i] = (int) (result >> 32);
        if (!first || before == 0) {
            out.copy(data.bytes, position, end);
            return end;
        }
        int value = dc[i];
        int size = 32 - Integer.numberOfLeadingZeros(Math.abs(value));
        int code = c.dcTable.codeOf(size);
        if (code < 0) {
            return -1;
        }
        out.put(code & 0xffff, code >> 16);
        out.put(value < 0 ? value - 1 : value, size);
        out.copy(data.bytes, position + dcBits(c.dcTable, position), end);
        return end;
    }

    /** How many bits the DC value at a position takes. */
    private int dcBits(HuffmanTable table, int position) {
        long window = 0;
        for (int i = 0; i < 4; i++) {
            window = window << 8 | data.bytes[(position >>> 3) + i] & 255;
        }
        int entry = table.symbol(window << 32 + (position & 7));
        return (entry >> 8) + (entry & 255);
    }
}
