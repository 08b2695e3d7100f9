package dev.stoker.image.kernel;

import java.util.Arrays;

/**
 * Which source pixels, with which weights, make each output pixel of one axis, as Pillow computes them: a filter widened by
 * the scale when shrinking (antialiasing), weights normalised and rounded to {@link Kernels#WEIGHT_BITS} bits.
 *
 * <p>Reused from picture to picture: {@link #set} allocates only when the arrays must grow. Beside the plain form
 * ({@link #first}, {@link #count}, {@link #weights}) it keeps the weights of 16 outputs side by side for the vectors.
 */
public final class ResizeTaps {
    /** The filters of Pillow that torchvision's classification transforms use. */
    public enum Filter {
        BILINEAR(1),
        BICUBIC(2);

        final double support;

        Filter(double support) {
            this.support = support;
        }

        double at(double x) {
            x = Math.abs(x);
            if (this == BILINEAR) {
                return x < 1 ? 1 - x : 0;
            }
            double a = -0.5;
            if (x < 1) {
                return ((a + 2) * x - (a + 3)) * x * x + 1;
            }
            return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
        }
    }

    /** Outputs in one group of the side-by-side form. */
    static final int GROUP = 16;

    int outCount;
    int perOutput;
    int[] first = new int[0];
    int[] count = new int[0];
    int[] weights = new int[0];

    int groups;
    int[] groupBase = new int[0];
    int[] groupTaps = new int[0];
    /** Weight t of output x at {@code ((x / 16) * perOutput + t) * 16 + x % 16}. */
    int[] groupWeights = new int[0];
    /** One byte in four: the place of an output's first source pixel, counted from its group's base. */
    byte[] groupPlaces = new byte[0];
    /** For the pixels of one group, where they are fetched one by one. */
    int[] fetched = new int[0];
    /** True if a group's first pixels are further apart than one vector of 64 bytes. */
    boolean wide;

    private double[] scratch = new double[0];

    /**
     * Output pixels [from, from + outCount) of a resize of {@code in} pixels to {@code whole} pixels.
     *
     * @param mirrored the last output comes first
     */
    public void set(Filter filter, int in, int whole, int from, int outCount, boolean mirrored) {
        double scale = (double) in / whole;
        double filterScale = Math.max(scale, 1);
        double support = filter.support * filterScale;
        this.outCount = outCount;
        this.perOutput = (int) Math.ceil(support) * 2 + 1;
        int padded = (outCount + GROUP - 1) / GROUP * GROUP;
        grow(padded);
        for (int i = 0; i < outCount; i++) {
            int x = from + (mirrored ? outCount - 1 - i : i);
            setOutput(filter, i, (x + 0.5) * scale, support, 1 / filterScale, in);
        }
        for (int i = outCount; i < padded; i++) {
            first[i] = first[outCount - 1];
            count[i] = 0;
            Arrays.fill(weights, i * perOutput, (i + 1) * perOutput, 0);
        }
        group();
    }

    private void grow(int padded) {
        groups = padded / GROUP;
        if (first.length < padded) {
            first = new int[padded];
            count = new int[padded];
            groupBase = new int[groups];
            groupTaps = new int[groups];
            groupPlaces = new byte[groups * 64 + Kernels.SLACK];
        }
        int needed = Math.multiplyExact(padded, perOutput);
        if (weights.length < needed) {
            weights = new int[needed];
            groupWeights = new int[needed + Kernels.SLACK];
        }
        if (scratch.length < perOutput) {
            scratch = new double[perOutput];
            fetched = new int[GROUP * perOutput];
        }
    }

    private void setOutput(Filter filter, int i, double centre, double support, double perPixel, int in) {
        int low = Math.max(0, (int) (centre - support + 0.5));
        int n = Math.min(in, (int) (centre + support + 0.5)) - low;
        double sum = 0;
        for (int t = 0; t < n; t++) {
            scratch[t] = filter.at((t + low - centre + 0.5) * perPixel);
            sum += scratch[t];
        }
        int w = i * perOutput;
        for (int t = 0; t < n; t++) {
            double weight = (sum == 0 ? scratch[t] : scratch[t] / sum) * (1 << Kernels.WEIGHT_BITS);
            weights[w + t] = (int) (weight < 0 ? weight - 0.5 : weight + 0.5);
        }
        Arrays.fill(weights, w + n, w + perOutput, 0);
        first[i] = low;
        count[i] = n;
    }

    private void group() {
        wide = false;
        for (int g = 0; g < groups; g++) {
            int base = Integer.MAX_VALUE;
            int last = 0;
            int taps = 0;
            for (int i = g * GROUP; i < (g + 1) * GROUP; i++) {
                base = Math.min(base, first[i]);
                last = Math.max(last, first[i]);
                taps = Math.max(taps, count[i]);
            }
            groupBase[g] = base;
            groupTaps[g] = taps;
            wide |= last - base > 63;
            for (int lane = 0; lane < GROUP; lane++) {
                int i = g * GROUP + lane;
                groupPlaces[g * 64 + lane * 4] = (byte) Math.min(63, first[i] - base);
                for (int t = 0; t < taps; t++) {
                    groupWeights[(g * perOutput + t) * GROUP + lane] = weights[i * perOutput + t];
                }
            }
        }
    }

    /** Counts source pixels from the first one that is needed; returns which that is. */
    public int rebase() {
        int lowest = Integer.MAX_VALUE;
        for (int i = 0; i < outCount; i++) {
            lowest = Math.min(lowest, first[i]);
        }
        for (int i = 0; i < groups * GROUP; i++) {
            first[i] -= lowest;
        }
        for (int g = 0; g < groups; g++) {
            groupBase[g] -= lowest;
        }
        return lowest;
    }

    /** How many source pixels are needed, from the first on. */
    public int span() {
        int end = 0;
        for (int i = 0; i < outCount; i++) {
            end = Math.max(end, first[i] + count[i]);
        }
        return end;
    }

    public int outCount() {
        return outCount;
    }

    public int maxTaps() {
        return perOutput;
    }

    public int first(int output) {
        return first[output];
    }

    public int count(int output) {
        return count[output];
    }

    public int[] weights() {
        return weights;
    }

    public int weightsAt(int output) {
        return output * perOutput;
    }
}
