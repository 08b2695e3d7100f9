package dev.stoker.image.kernel;

/** Plain Java, for runtimes without the Vector API; the definition that the vectors are tested against. */
final class ScalarKernels implements Kernels {
    static final Kernels INSTANCE = new ScalarKernels();

    private ScalarKernels() {}

    @Override
    public String name() {
        return "scalar";
    }

    @Override
    public int copyUntilFF(byte[] from, int at, int to, byte[] into, int intoAt) {
        int i = at;
        while (i < to && from[i] != -1) {
            into[intoAt++] = from[i++];
        }
        return i - at;
    }

    @Override
    public void idct(
            int[] coefficients,
            int[] quantisers,
            int[] work,
            byte[] plane0,
            int at0,
            int stride0,
            byte[] plane1,
            int at1,
            int stride1) {
        for (int lane = 0; lane < LANES; lane++) {
            ScalarIdct.columns(coefficients, quantisers, work, lane);
            if (lane < 8) {
                ScalarIdct.rows(work, plane0, at0 + lane * 8, stride0);
            } else {
                ScalarIdct.rows(work, plane1, at1 + (lane - 8) * 8, stride1);
            }
        }
        java.util.Arrays.fill(coefficients, 0, 64 * LANES, 0);
    }

    @Override
    public void blendRows(byte[] plane, int near, int far, int count, short[] out, int outAt) {
        for (int i = 0; i < count; i++) {
            out[outAt + i] = (short) (3 * (plane[near + i] & 255) + (plane[far + i] & 255));
        }
    }

    @Override
    public void widenRow(byte[] plane, int at, int count, short[] out, int outAt) {
        for (int i = 0; i < count; i++) {
            out[outAt + i] = (short) (plane[at + i] & 255);
        }
    }

    @Override
    public void doubleRow(short[] in, int count, byte[] out, int evenBias, int oddBias, int shift) {
        for (int i = 0; i < count; i++) {
            int middle = 3 * in[i + 1];
            out[2 * i] = (byte) (middle + in[i] + evenBias >> shift);
            out[2 * i + 1] = (byte) (middle + in[i + 2] + oddBias >> shift);
        }
    }

    @Override
    public void blendRow(byte[] plane, int near, int far, int count, int bias, byte[] out) {
        for (int i = 0; i < count; i++) {
            out[i] = (byte) (3 * (plane[near + i] & 255) + (plane[far + i] & 255) + bias >> 2);
        }
    }

    /** The constants are 1.402, 0.34414, 0.71414 and 1.772 in 16 bits of fraction. */
    @Override
    public void yccToRgb(
            byte[] y,
            int yAt,
            byte[] cb,
            int cbAt,
            byte[] cr,
            int crAt,
            int count,
            byte[] red,
            byte[] green,
            byte[] blue) {
        for (int i = 0; i < count; i++) {
            int luma = y[yAt + i] & 255;
            int b = (cb[cbAt + i] & 255) - 128;
            int r = (cr[crAt + i] & 255) - 128;
            red[i] = clamp(luma + (91881 * r + 32768 >> 16));
            green[i] = clamp(luma + (-22554 * b - 46802 * r + 32768 >> 16));
            blue[i] = clamp(luma + (116130 * b + 32768 >> 16));
        }
    }

    @Override
    public void doubledYccToRgb(
            byte[] y,
            int yAt,
            short[] cb,
            short[] cr,
            int sumsAt,
            int pairs,
            int evenBias,
            int oddBias,
            int shift,
            byte[] red,
            byte[] green,
            byte[] blue,
            int outAt) {
        for (int i = 0; i < 2 * pairs; i++) {
            int middle = sumsAt + 1 + (i >> 1);
            int other = middle + ((i & 1) == 0 ? -1 : 1);
            int bias = (i & 1) == 0 ? evenBias : oddBias;
            int luma = y[yAt + i] & 255;
            int b = (3 * cb[middle] + cb[other] + bias >> shift) - 128;
            int r = (3 * cr[middle] + cr[other] + bias >> shift) - 128;
            red[outAt + i] = clamp(luma + (91881 * r + 32768 >> 16));
            green[outAt + i] = clamp(luma + (-22554 * b - 46802 * r + 32768 >> 16));
            blue[outAt + i] = clamp(luma + (116130 * b + 32768 >> 16));
        }
    }

    @Override
    public void interleave(byte[] red, byte[] green, byte[] blue, int count, byte[] out) {
        for (int i = 0; i < count; i++) {
            out[3 * i] = red[i];
            out[3 * i + 1] = green[i];
            out[3 * i + 2] = blue[i];
        }
    }

    @Override
    public void resizeRow(
            ResizeTaps taps,
            byte[] red,
            byte[] green,
            byte[] blue,
            int[] packed,
            byte[] out,
            int outAt,
            int channelStride) {
        resizeRow(taps, red, out, outAt);
        resizeRow(taps, green, out, outAt + channelStride);
        resizeRow(taps, blue, out, outAt + 2 * channelStride);
    }

    private static void resizeRow(ResizeTaps taps, byte[] in, byte[] out, int outAt) {
        int[] weights = taps.weights;
        for (int x = 0; x < taps.outCount; x++) {
            int sum = 1 << WEIGHT_BITS - 1;
            int first = taps.first[x];
            int w = x * taps.perOutput;
            for (int t = 0; t < taps.count[x]; t++) {
                sum += (in[first + t] & 255) * weights[w + t];
            }
            out[outAt + x] = clamp(sum >> WEIGHT_BITS);
        }
    }

    @Override
    public void resizeColumns(
            byte[] in, int at, int stride, int[] weights, int weightsAt, int taps, int count, byte[] out) {
        for (int i = 0; i < count; i++) {
            int sum = 1 << WEIGHT_BITS - 1;
            for (int t = 0; t < taps; t++) {
                sum += (in[at + t * stride + i] & 255) * weights[weightsAt + t];
            }
            out[i] = clamp(sum >> WEIGHT_BITS);
        }
    }

    private static byte clamp(int value) {
        return (byte) Math.max(0, Math.min(255, value));
    }
}
