package dev.stoker.image.kernel;

/**
 * The inner loops. Implementations hold no state, so that one instance serves all threads.
 *
 * <p>Every array must have {@link #SLACK} elements after the last one that is named by an offset and a count: an
 * implementation may read and write up to there, in whole vectors.
 */
public interface Kernels {
    /** Elements that must follow the last one used, in every array. */
    int SLACK = 128;

    /** Blocks that {@link #idct} transforms at once; coefficient k of block b lies at {@code k * LANES + b}. */
    int LANES = 16;

    /** The bits of a fixed-point weight of the resize, as in Pillow. */
    int WEIGHT_BITS = 22;

    /** The kernels for this machine and runtime. */
    static Kernels best() {
        return KernelChoice.BEST;
    }

    /** Plain Java. */
    static Kernels scalar() {
        return ScalarKernels.INSTANCE;
    }

    /** For people: which vectors are used. */
    String name();

    /**
     * Copies bytes up to the first 0xFF.
     *
     * @return how many bytes were copied: up to 0xFF or to {@code to}
     */
    int copyUntilFF(byte[] from, int at, int to, byte[] into, int intoAt);

    /**
     * The accurate integer inverse DCT of 16 blocks, dequantised, and clears the coefficients.
     *
     * @param coefficients 64 x 16, in zigzag order, one block per lane
     * @param quantisers 64 x 16 likewise
     * @param work 1024 integers of scratch
     * @param plane0 takes blocks 0 to 7 side by side, {@code plane1} blocks 8 to 15
     */
    void idct(
            int[] coefficients,
            int[] quantisers,
            int[] work,
            byte[] plane0,
            int at0,
            int stride0,
            byte[] plane1,
            int at1,
            int stride1);

    /** {@code out[outAt + i] = 3 * plane[near + i] + plane[far + i]}. */
    void blendRows(byte[] plane, int near, int far, int count, short[] out, int outAt);

    /** {@code out[outAt + i] = plane[at + i]}, unsigned. */
    void widenRow(byte[] plane, int at, int count, short[] out, int outAt);

    /**
     * Doubles a row with a triangle filter: {@code out[2i] = (3 in[i+1] + in[i] + evenBias) >> shift},
     * {@code out[2i+1] = (3 in[i+1] + in[i+2] + oddBias) >> shift}.
     */
    void doubleRow(short[] in, int count, byte[] out, int evenBias, int oddBias, int shift);

    /** {@code out[i] = (3 * plane[near + i] + plane[far + i] + bias) >> 2}. */
    void blendRow(byte[] plane, int near, int far, int count, int bias, byte[] out);

    /** One row of YCbCr (JFIF) to red, green and blue, each from its first element on. */
    void yccToRgb(
            byte[] y,
            int yAt,
            byte[] cb,
            int cbAt,
            byte[] cr,
            int crAt,
            int count,
            byte[] red,
            byte[] green,
            byte[] blue);

    /**
     * {@link #doubleRow} of both chroma rows and {@link #yccToRgb} in one, for {@code 2 * pairs} pixels, without the detour over
     * bytes. The sums are read from {@code sumsAt}, the colours written from {@code outAt}.
     */
    void doubledYccToRgb(
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
            int outAt);

    /** {@code out[3i] = red[i], out[3i+1] = green[i], out[3i+2] = blue[i]}. */
    void interleave(byte[] red, byte[] green, byte[] blue, int count, byte[] out);

    /** The horizontal pass for a row of three channels: channel c goes to {@code out[outAt + c * channelStride]}. */
    void resizeRow(
            ResizeTaps taps,
            byte[] red,
            byte[] green,
            byte[] blue,
            int[] packed,
            byte[] out,
            int outAt,
            int channelStride);

    /** The vertical pass: {@code out[i]} is the weighted sum of {@code in[at + t * stride + i]} over {@code taps} rows. */
    void resizeColumns(byte[] in, int at, int stride, int[] weights, int weightsAt, int taps, int count, byte[] out);
}
