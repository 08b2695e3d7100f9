package dev.stoker.image.jpeg;

import dev.stoker.image.ImageException;
import dev.stoker.image.PixelFormat;
import dev.stoker.image.PixelLimit;
import dev.stoker.image.kernel.Kernels;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Decodes JPEG pictures one after the other; one decoder per thread. It keeps its buffers, so that nothing is allocated for a
 * picture that is no larger than those before.
 *
 * <pre>{@code
 * JpegDecoder decoder = new JpegDecoder();
 * JpegHeader header = decoder.read(encoded);
 * decoder.decode(0, 0, header.width(), header.height(), PixelFormat.RGB, out, 0, 3L * header.width());
 * }</pre>
 *
 * <p>The pixels are those of libjpeg-turbo with its default settings, and those of a box are the same as in the whole
 * picture. Damage outside the part of the file that a box needs is not noticed.
 */
public final class JpegDecoder {
    /** Real progressive pictures have about ten scans; thousands of empty ones would keep a decoder busy for minutes. */
    private static final int MAX_SCANS = 100;

    private final JpegOptions options;
    private final Kernels kernels;
    private final Input in = new Input();
    private final JpegHeader header = new JpegHeader();
    private final Markers markers;
    private final EntropyData data;
    private final Region region = new Region();
    private final BlockTransform transform;
    private final SequentialScan sequential;
    private final CoefficientStore store = new CoefficientStore();
    private final BufferedScan buffered;
    private final PixelRows rows;

    private boolean read;
    /** All components in one sequential scan: nothing needs to be kept between scans. */
    private boolean oneScan;
    /** The entropy-coded data was unpacked, or all scans were read into the store. */
    private boolean unpacked;

    private int x0;
    private int y0;
    private int x1;
    private int y1;

    private byte[] red = new byte[0];
    private byte[] green = new byte[0];
    private byte[] blue = new byte[0];
    private byte[] mixed = new byte[0];

    public JpegDecoder() {
        this(JpegOptions.DEFAULT);
    }

    public JpegDecoder(JpegOptions options) {
        this(options, Kernels.best());
    }

    public JpegDecoder(JpegOptions options, Kernels kernels) {
        this.options = options;
        this.kernels = kernels;
        markers = new Markers(in, header, new HuffmanCache());
        data = new EntropyData(in, kernels);
        transform = new BlockTransform(kernels);
        sequential = new SequentialScan(data, transform, options.acceptTruncated());
        buffered = new BufferedScan(data, store, options.acceptTruncated());
        rows = new PixelRows(header, kernels);
    }

    /** True if the bytes begin as a JPEG does. */
    public static boolean isJpeg(MemorySegment encoded) {
        return encoded.byteSize() >= 3
                && encoded.get(ValueLayout.JAVA_BYTE, 0) == (byte) 0xFF
                && encoded.get(ValueLayout.JAVA_BYTE, 1) == (byte) 0xD8
                && encoded.get(ValueLayout.JAVA_BYTE, 2) == (byte) 0xFF;
    }

    /** Takes over a picture; the segment may be changed or closed afterwards. */
    public JpegHeader read(MemorySegment encoded) {
        read = false;
        in.set(encoded);
        markers.readHeader();
        long pixels = (long) header.width * header.height;
        PixelLimit.require(header.width, header.height, in.length, options.maxPixels());
        // Every block takes at least one bit.
        long blocks = (pixels / 64) / ((long) header.maxH * header.maxV);
        if (blocks > 8L * in.length && !options.acceptTruncated()) {
            throw new ImageException(
                    in.length,
                    in.length + " bytes cannot hold " + header.width + " x " + header.height
                            + " pixels; the picture is truncated");
        }
        read = true;
        unpacked = false;
        oneScan = !header.progressive && markers.scan().componentCount == header.componentCount;
        return header;
    }

    /** Takes over bytes [from, from + length) of an array. */
    public JpegHeader read(byte[] encoded, int from, int length) {
        return read(MemorySegment.ofArray(encoded).asSlice(from, length));
    }

    /** Decodes a box of the picture that was read; row y of it goes to {@code at + y * rowStride}. */
    public void decode(
            int x, int y, int width, int height, PixelFormat format, MemorySegment out, long at, long rowStride) {
        decodeScaled(1, x, y, width, height, format, out, at, rowStride);
    }

    /**
     * Decodes a box of the picture shrunk by 1, 2, 4 or 8 while decoding, which is fast but not the same as shrinking the
     * decoded picture. The shrunk picture has width / shrink columns, rounded up, and the box counts in its pixels.
     */
    public void decodeScaled(
            int shrink,
            int x,
            int y,
            int width,
            int height,
            PixelFormat format,
            MemorySegment out,
            long at,
            long rowStride) {
        prepare(shrink, x, y, width, height);
        reserve(width);
        int bytes = width * format.channels();
        for (int row = 0; row < height; row++) {
            byte[] pixels = mixed;
            if (format == PixelFormat.RGB) {
                row(row, red, green, blue);
                kernels.interleave(red, green, blue, width, mixed);
            } else {
                rows.grey(y0 + row, x0, x1, red, green, blue);
                pixels = red;
            }
            MemorySegment.copy(pixels, 0, out, ValueLayout.JAVA_BYTE, at + row * rowStride, bytes);
        }
    }

    private void reserve(int width) {
        if (red.length < width + 2 * Kernels.SLACK) {
            red = new byte[width + 2 * Kernels.SLACK];
            green = new byte[width + 2 * Kernels.SLACK];
            blue = new byte[width + 2 * Kernels.SLACK];
            mixed = new byte[3 * width + 4 * Kernels.SLACK];
        }
    }

    /** Decodes a box up to its planes, whose rows can then be had by {@link #row} until the next picture or box. */
    public void prepare(int shrink, int x, int y, int width, int height) {
        if (!read) {
            throw new IllegalStateException("no picture was read");
        }
        if (shrink != 1 && shrink != 2 && shrink != 4 && shrink != 8) {
            throw new IllegalArgumentException(
                    "a picture can be shrunk by 1, 2, 4 or 8 while decoding, not by " + shrink);
        }
        int wholeWidth = JpegHeader.ceil(header.width, shrink);
        int wholeHeight = JpegHeader.ceil(header.height, shrink);
        if (x < 0 || y < 0 || width < 1 || height < 1 || x > wholeWidth - width || y > wholeHeight - height) {
            throw new IllegalArgumentException("the box " + width + " x " + height + " at " + x + ", " + y
                    + " is not inside the picture of " + wholeWidth + " x " + wholeHeight);
        }
        x0 = x;
        y0 = y;
        x1 = x + width;
        y1 = y + height;
        Scan scan = markers.scan();
        region.set(header, 8 / shrink, x0, y0, x1, y1, oneScan ? 1 : Kernels.LANES);
        if (oneScan) {
            checkDcTables(scan);
            if (!unpacked) {
                data.read(scan);
                unpacked = true;
            }
            sequential.decode(header, scan, region);
        } else {
            if (!unpacked) {
                readScans(scan);
                unpacked = true;
            }
            store.transform(header, region, transform);
        }
    }

    private void checkDcTables(Scan scan) {
        for (int i = 0; i < scan.componentCount; i++) {
            if (!scan.components[i].dcTable.suitsDc()) {
                throw new ImageException(
                        scan.marker, "a DC Huffman table has symbols above 11, which 8-bit JPEG does not have");
            }
        }
    }

    private void readScans(Scan scan) {
        store.clear(header);
        for (int scans = 1; ; scans++) {
            if (scans > MAX_SCANS) {
                throw new ImageException(scan.marker, "more than " + MAX_SCANS + " scans in one picture");
            }
            data.read(scan);
            boolean whole = buffered.decode(header, scan);
            if (!whole || !nextScan()) {
                break;
            }
        }
        for (int i = 0; i < header.componentCount; i++) {
            if (!header.components[i].quantised) {
                if (!options.acceptTruncated()) {
                    throw new ImageException(in.length, "component " + i + " has no scan; the picture is truncated");
                }
                java.util.Arrays.fill(header.components[i].quantisers, 1);
            }
        }
    }

    private boolean nextScan() {
        if (options.acceptTruncated() && data.endInInput >= in.length) {
            return false;
        }
        try {
            return markers.nextScan(data.endInInput);
        } catch (ImageException e) {
            if (options.acceptTruncated()) {
                return false;
            }
            throw e;
        }
    }

    /** Row y of the prepared box, counted from its top; the arrays must have {@link Kernels#SLACK} bytes to spare. */
    public void row(int y, byte[] red, byte[] green, byte[] blue) {
        rows.rgb(y0 + y, x0, x1, red, green, blue);
    }
}
