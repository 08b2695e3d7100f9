package dev.stoker.image.jpeg;

import dev.stoker.image.ImageException;
import dev.stoker.image.jpeg.JpegHeader.Colour;
import java.util.Arrays;

/**
 * Reads the segments between the entropy-coded data: the frame, the tables, the scans. Positions count from the picture's
 * first byte. What libjpeg only warns about (bytes between segments) is passed over, what it refuses is refused.
 */
final class Markers {
    private static final int SOI = 0xD8, EOI = 0xD9, SOS = 0xDA, DQT = 0xDB, DNL = 0xDC, DRI = 0xDD, DHT = 0xC4;
    private static final int APP0 = 0xE0, APP1 = 0xE1, APP14 = 0xEE, TEM = 0x01;
    /** libjpeg's limit, and the standard's. */
    private static final int MAX_BLOCKS_PER_MCU = 10;

    private final Input in;
    private final JpegHeader header;
    private final HuffmanCache huffman;
    private final Scan scan = new Scan();
    private final int[][] quantisers = new int[4][64];
    private final boolean[] defined = new boolean[4];
    private boolean jfif;
    private int adobeTransform;

    Markers(Input in, JpegHeader header, HuffmanCache huffman) {
        this.in = in;
        this.header = header;
        this.huffman = huffman;
    }

    /** Reads up to the first scan. */
    Scan readHeader() {
        header.clear();
        huffman.clear();
        Arrays.fill(defined, false);
        jfif = false;
        adobeTransform = -1;
        if (in.length < 2 || in.u16(0) != 0xFF00 + SOI) {
            throw new ImageException(0, "not a JPEG: it should begin with the bytes FF D8");
        }
        if (!nextScan(2)) {
            throw new ImageException(in.length, "the JPEG has no scan, so there is no picture in it");
        }
        return scan;
    }

    /** Reads on to the next scan; false at the end of the picture. */
    boolean nextScan(int at) {
        for (; ; ) {
            while (in.u8(at) != 0xFF) {
                at++;
            }
            while (in.u8(at) == 0xFF) {
                at++;
            }
            int marker = in.u8(at);
            int place = at - 1;
            at++;
            if (marker == EOI) {
                return false;
            }
            if (marker == 0 || marker == TEM || marker >= 0xD0 && marker <= 0xD7) {
                continue;
            }
            int length = in.u16(at);
            if (length < 2) {
                throw new ImageException(place, "a segment's length should be at least 2 but is " + length);
            }
            int end = at + length;
            if (end > in.length) {
                throw in.truncated(place);
            }
            segment(marker, place, at + 2, end);
            if (marker == SOS) {
                return true;
            }
            at = end;
        }
    }

    private void segment(int marker, int place, int at, int end) {
        switch (marker) {
            case DQT -> quantisers(place, at, end);
            case DHT -> huffman(place, at, end);
            case DRI -> header.restartInterval = restartInterval(place, at, end);
            case SOS -> scan(place, at, end);
            case APP0 -> jfif |= end - at >= 14 && startsWith(at, "JFIF");
            case APP1 -> {
                if (header.orientation == 1) {
                    header.orientation = Exif.orientation(in.bytes, at, end);
                }
            }
            case APP14 -> {
                if (end - at >= 12 && startsWith(at, "Adobe")) {
                    adobeTransform = in.u8(at + 11);
                }
            }
            case DNL ->
                throw new ImageException(
                        place, "the picture's height is given after its data (DNL), which is not supported");
            default -> {
                if (marker >= 0xC0 && marker <= 0xCF && marker != 0xC8) {
                    frame(marker, place, at, end);
                }
            }
        }
    }

    private boolean startsWith(int at, String word) {
        for (int i = 0; i < word.length(); i++) {
            if (in.u8(at + i) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private int restartInterval(int place, int at, int end) {
        if (end - at != 2) {
            throw new ImageException(place, "the restart interval (DRI) should have 2 bytes but has " + (end - at));
        }
        return in.u16(at);
    }

    private void quantisers(int place, int at, int end) {
        while (at < end) {
            int kind = in.u8(at++);
            int slot = kind & 15;
            int bytes = kind >> 4 == 0 ? 1 : 2;
            if (slot > 3 || kind >> 4 > 1 || end - at < 64 * bytes) {
                throw new ImageException(
                        place,
                        "a quantization table (DQT) is malformed: kind " + kind + ", " + (end - at) + " bytes left");
            }
            for (int k = 0; k < 64; k++, at += bytes) {
                quantisers[slot][k] = bytes == 1 ? in.u8(at) : in.u16(at);
            }
            defined[slot] = true;
        }
    }

    private void huffman(int place, int at, int end) {
        while (at < end) {
            int kind = in.u8(at++);
            int symbols = 0;
            for (int i = 0; i < 16 && end - at >= 16; i++) {
                symbols += in.u8(at + i);
            }
            if ((kind & 15) > 3 || kind >> 4 > 1 || end - at < 16 + symbols || symbols > 256) {
                throw new ImageException(
                        place,
                        "a Huffman table (DHT) is malformed: kind " + kind + ", " + symbols + " symbols, " + (end - at)
                                + " bytes left");
            }
            if (!huffman.define((kind >> 4) * 4 + (kind & 15), in.bytes, at, 16 + symbols)) {
                throw new ImageException(place, "a Huffman table (DHT) has more codes of a length than there can be");
            }
            at += 16 + symbols;
        }
    }

    private void frame(int marker, int place, int at, int end) {
        String kind = switch (marker) {
            case 0xC0, 0xC1, 0xC2 -> "";
            case 0xC3 -> "lossless";
            case 0xC9, 0xCA -> "arithmetic-coded";
            case 0xCB, 0xCD, 0xCE, 0xCF -> "arithmetic-coded lossless or hierarchical";
            case 0xCC -> "arithmetic-coded (DAC)";
            default -> "hierarchical";
        };
        if (!kind.isEmpty()) {
            throw ImageException.unsupported(
                    place, kind + " JPEG is not supported; baseline, extended sequential and progressive are");
        }
        if (header.componentCount != 0) {
            throw new ImageException(place, "a second frame (SOF) in one picture");
        }
        if (end - at < 6 || end - at != 6 + 3 * in.u8(at + 5)) {
            throw new ImageException(
                    place, "the frame (SOF) has " + (end - at) + " bytes, which does not fit its components");
        }
        if (in.u8(at) != 8) {
            throw ImageException.unsupported(
                    place, "JPEG with " + in.u8(at) + " bits per sample is not supported; 8 bits are");
        }
        header.progressive = marker == 0xC2;
        header.height = in.u16(at + 1);
        header.width = in.u16(at + 3);
        int count = in.u8(at + 5);
        if (header.width == 0 || header.height == 0) {
            throw new ImageException(
                    place,
                    "the picture is " + header.width + " x " + header.height
                            + " pixels; a height given after the data (DNL) is not supported");
        }
        if (count != 1 && count != 3 && count != 4) {
            throw new ImageException(place, "a JPEG of " + count + " components is not supported; 1, 3 and 4 are");
        }
        header.componentCount = count;
        components(place, at + 6);
    }

    private void components(int place, int at) {
        header.maxH = 1;
        header.maxV = 1;
        for (int i = 0; i < header.componentCount; i++, at += 3) {
            Component c = header.components[i];
            c.id = in.u8(at);
            c.h = in.u8(at + 1) >> 4;
            c.v = in.u8(at + 1) & 15;
            c.quantIndex = in.u8(at + 2);
            if (c.h < 1 || c.h > 4 || c.v < 1 || c.v > 4 || c.quantIndex > 3) {
                throw new ImageException(
                        place,
                        "component " + i + " has sampling " + c.h + " x " + c.v + " and quantization table "
                                + c.quantIndex + "; 1 to 4 and 0 to 3 are allowed");
            }
            if (header.componentCount == 1) {
                // The factors of a single component mean nothing: its blocks come row by row.
                c.h = 1;
                c.v = 1;
            }
            header.maxH = Math.max(header.maxH, c.h);
            header.maxV = Math.max(header.maxV, c.v);
        }
        for (int i = 0; i < header.componentCount; i++) {
            Component c = header.components[i];
            if (header.maxH % c.h != 0 || header.maxV % c.v != 0) {
                throw new ImageException(
                        place,
                        "component " + i + " is sampled " + c.h + " x " + c.v + " in a picture of " + header.maxH
                                + " x " + header.maxV + "; fractional sampling is not supported");
            }
        }
    }

    private void scan(int place, int at, int end) {
        if (header.componentCount == 0) {
            throw new ImageException(place, "a scan (SOS) before the frame (SOF)");
        }
        int count = end > at ? in.u8(at) : 0;
        if (count < 1 || count > 4 || end - at != 4 + 2 * count) {
            throw new ImageException(place, "the scan (SOS) has " + (end - at) + " bytes for " + count + " components");
        }
        scan.marker = place;
        scan.data = end;
        scan.componentCount = count;
        int blocks = 0;
        for (int i = 0; i < count; i++) {
            Component c = component(place, in.u8(at + 1 + 2 * i), i);
            int tables = in.u8(at + 2 + 2 * i);
            if (tables >> 4 > 3 || (tables & 15) > 3) {
                throw new ImageException(
                        place,
                        "the scan (SOS) names Huffman tables " + (tables >> 4) + " and " + (tables & 15)
                                + "; 0 to 3 are allowed");
            }
            c.dcTable = huffman.dc(tables >> 4);
            c.acTable = huffman.ac(tables & 15);
            latchQuantisers(place, c);
            scan.components[i] = c;
            blocks += c.h * c.v;
        }
        if (count > 1 && blocks > MAX_BLOCKS_PER_MCU) {
            throw new ImageException(place, "the scan (SOS) has " + blocks + " blocks per MCU; at most 10 are allowed");
        }
        int parameters = at + 1 + 2 * count;
        scan.spectralStart = in.u8(parameters);
        scan.spectralEnd = in.u8(parameters + 1);
        scan.approximationHigh = in.u8(parameters + 2) >> 4;
        scan.approximationLow = in.u8(parameters + 2) & 15;
        header.colour = colour();
    }

    private Component component(int place, int id, int position) {
        for (int i = 0; i < header.componentCount; i++) {
            if (header.components[i].id == id && !isBefore(header.components[i], position)) {
                return header.components[i];
            }
        }
        throw new ImageException(
                place,
                "the scan (SOS) names component " + id + ", which the frame does not have or the scan names twice");
    }

    private boolean isBefore(Component c, int position) {
        for (int i = 0; i < position; i++) {
            if (scan.components[i] == c) {
                return true;
            }
        }
        return false;
    }

    private void latchQuantisers(int place, Component c) {
        if (c.quantised) {
            return;
        }
        if (!defined[c.quantIndex]) {
            throw new ImageException(place, "quantization table " + c.quantIndex + " is used but not defined");
        }
        System.arraycopy(quantisers[c.quantIndex], 0, c.quantisers, 0, 64);
        c.quantised = true;
    }

    /** The rules of libjpeg: a JFIF marker means YCbCr, else Adobe's marker decides, else the components' names. */
    private Colour colour() {
        Component[] c = header.components;
        return switch (header.componentCount) {
            case 1 -> Colour.GREY;
            case 3 -> {
                boolean namedRgb = c[0].id == 'R' && c[1].id == 'G' && c[2].id == 'B';
                boolean rgb = !jfif && (adobeTransform == 0 || adobeTransform < 0 && namedRgb);
                yield rgb ? Colour.RGB : Colour.YCBCR;
            }
            default -> adobeTransform <= 0 ? Colour.CMYK : Colour.YCCK;
        };
    }

    Scan scan() {
        return scan;
    }
}
