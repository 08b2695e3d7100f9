package dev.stoker.image.transform;

import dev.stoker.image.DType;
import dev.stoker.image.Layout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Lays a picture out in its slot of a batch. A channel's value is one of 256, so scaling, normalising and converting are one
 * table per channel, computed once in the arithmetic of torchvision. One per thread.
 */
final class Emitter {
    private final Layout layout;
    private final DType dtype;
    private final int channels;
    private final float[][] floats = new float[3][256];
    private final short[][] halves = new short[3][256];
    private byte[] byteRow = new byte[0];
    private short[] shortRow = new short[0];
    private float[] floatRow = new float[0];

    /** @param normalize null for values from 0 to 1 */
    Emitter(Layout layout, DType dtype, int channels, Transform.@Nullable Normalize normalize) {
        this.layout = layout;
        this.dtype = dtype;
        this.channels = channels;
        for (int c = 0; c < 3; c++) {
            for (int v = 0; v < 256; v++) {
                float value = v / 255f;
                if (normalize != null) {
                    int n = normalize.mean().length == 1 ? 0 : c;
                    value = (value - normalize.mean()[n]) / normalize.std()[n];
                }
                floats[c][v] = value;
                halves[c][v] = dtype == DType.BFLOAT16 ? toBfloat16(value) : Float.floatToFloat16(value);
            }
        }
    }

    /** Rounded to the nearest, ties to even. */
    static short toBfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        return (short) (bits + 0x7fff + (bits >>> 16 & 1) >>> 16);
    }

    void emit(Picture p, MemorySegment out, long at) {
        int width = p.width();
        int height = p.height();
        long plane = (long) width * height * dtype.bytes();
        if (dtype == DType.UINT8 && layout == Layout.CHW) {
            for (int c = 0; c < channels; c++) {
                MemorySegment.copy(p.plane(c), 0, out, ValueLayout.JAVA_BYTE, at + c * plane, width * height);
            }
            return;
        }
        if (layout == Layout.CHW) {
            for (int c = 0; c < channels; c++) {
                for (int y = 0; y < height; y++) {
                    convert(p.plane(c), y * width, width, c, 0, 1);
                    store(width, out, at + c * plane + (long) y * width * dtype.bytes());
                }
            }
            return;
        }
        for (int y = 0; y < height; y++) {
            for (int c = 0; c < channels; c++) {
                convert(p.plane(c), y * width, width, c, c, channels);
            }
            store(width * channels, out, at + (long) y * width * channels * dtype.bytes());
        }
    }

    private void convert(byte[] from, int at, int count, int channel, int into, int step) {
        int needed = count * step;
        switch (dtype) {
            case UINT8 -> {
                if (byteRow.length < needed) {
                    byteRow = new byte[needed];
                }
                byte[] row = byteRow;
                for (int i = 0; i < count; i++) {
                    row[into + i * step] = from[at + i];
                }
            }
            case FLOAT32 -> {
                if (floatRow.length < needed) {
                    floatRow = new float[needed];
                }
                float[] row = floatRow;
                float[] table = floats[channel];
                for (int i = 0; i < count; i++) {
                    row[into + i * step] = table[from[at + i] & 255];
                }
            }
            default -> {
                if (shortRow.length < needed) {
                    shortRow = new short[needed];
                }
                short[] row = shortRow;
                short[] table = halves[channel];
                for (int i = 0; i < count; i++) {
                    row[into + i * step] = table[from[at + i] & 255];
                }
            }
        }
    }

    private void store(int count, MemorySegment out, long at) {
        switch (dtype) {
            case UINT8 -> MemorySegment.copy(byteRow, 0, out, ValueLayout.JAVA_BYTE, at, count);
            case FLOAT32 -> MemorySegment.copy(floatRow, 0, out, ValueLayout.JAVA_FLOAT_UNALIGNED, at, count);
            default -> MemorySegment.copy(shortRow, 0, out, ValueLayout.JAVA_SHORT_UNALIGNED, at, count);
        }
    }
}
