package dev.stoker.image.transform;

/** Colour changes on a picture in memory, computed as Pillow computes them. One per thread. */
final class PixelOps {
    private final byte[] table = new byte[256];
    private final int[] order = new int[4];

    static int grey(int red, int green, int blue) {
        return red * 19595 + green * 38470 + blue * 7471 + 32768 >> 16;
    }

    /** {@code from + factor * (to - from)} in single precision, cut off, as Pillow blends. */
    private static int blend(int from, int to, float factor) {
        float value = from + factor * (to - from);
        return value <= 0 ? 0 : value >= 255 ? 255 : (int) value;
    }

    void grayscale(Picture p) {
        byte[] r = p.plane(0), g = p.plane(1), b = p.plane(2);
        for (int i = 0; i < p.width() * p.height(); i++) {
            byte value = (byte) grey(r[i] & 255, g[i] & 255, b[i] & 255);
            r[i] = value;
            g[i] = value;
            b[i] = value;
        }
    }

    void jitter(Transform.ColorJitter jitter, SampleRandom random, Picture p) {
        float brightness = (float)
                random.between(jitter.brightness().from(), jitter.brightness().to());
        float contrast = (float)
                random.between(jitter.contrast().from(), jitter.contrast().to());
        float saturation = (float)
                random.between(jitter.saturation().from(), jitter.saturation().to());
        double hue = random.between(jitter.hue().from(), jitter.hue().to());
        for (int i = 0; i < 4; i++) {
            int j = random.below(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        for (int step : order) {
            switch (step) {
                case 0 -> {
                    if (!jitter.brightness().isOnly(1)) brightness(p, brightness);
                }
                case 1 -> {
                    if (!jitter.contrast().isOnly(1)) contrast(p, contrast);
                }
                case 2 -> {
                    if (!jitter.saturation().isOnly(1)) saturation(p, saturation);
                }
                default -> {
                    if (!jitter.hue().isOnly(0)) hue(p, hue);
                }
            }
        }
    }

    void brightness(Picture p, float factor) {
        blendWith(p, 0, factor);
    }

    /** Blends with the mean of the grey picture. */
    void contrast(Picture p, float factor) {
        byte[] r = p.plane(0), g = p.plane(1), b = p.plane(2);
        int n = p.width() * p.height();
        long sum = 0;
        for (int i = 0; i < n; i++) {
            sum += grey(r[i] & 255, g[i] & 255, b[i] & 255);
        }
        blendWith(p, (int) ((double) sum / n + 0.5), factor);
    }

    private void blendWith(Picture p, int level, float factor) {
        for (int v = 0; v < 256; v++) {
            table[v] = (byte) blend(level, v, factor);
        }
        int n = p.width() * p.height();
        for (int c = 0; c < 3; c++) {
            byte[] plane = p.plane(c);
            for (int i = 0; i < n; i++) {
                plane[i] = table[plane[i] & 255];
            }
        }
    }

    void saturation(Picture p, float factor) {
        byte[] r = p.plane(0), g = p.plane(1), b = p.plane(2);
        for (int i = 0; i < p.width() * p.height(); i++) {
            int red = r[i] & 255, green = g[i] & 255, blue = b[i] & 255;
            int level = grey(red, green, blue);
            r[i] = (byte) blend(level, red, factor);
            g[i] = (byte) blend(level, green, factor);
            b[i] = (byte) blend(level, blue, factor);
        }
    }

    /** Turns the hue by a share of the circle, by way of 8-bit HSV as in Pillow, so with its rounding. */
    void hue(Picture p, double turn) {
        int shift = (int) (turn * 255) & 255;
        byte[] r = p.plane(0), g = p.plane(1), b = p.plane(2);
        for (int i = 0; i < p.width() * p.height(); i++) {
            int rgb = turnHue(r[i] & 255, g[i] & 255, b[i] & 255, shift);
            r[i] = (byte) (rgb >> 16);
            g[i] = (byte) (rgb >> 8);
            b[i] = (byte) rgb;
        }
    }

    static int turnHue(int red, int green, int blue, int shift) {
        int max = Math.max(red, Math.max(green, blue));
        int min = Math.min(red, Math.min(green, blue));
        int hue = 0;
        int saturation = 0;
        if (max != min) {
            float range = max - min;
            float s = range / max;
            float rc = (max - red) / range;
            float gc = (max - green) / range;
            float bc = (max - blue) / range;
            float h = red == max ? bc - gc : green == max ? (float) (2.0 + rc - bc) : (float) (4.0 + gc - rc);
            h = (float) ((h / 6.0 + 1.0) % 1.0);
            hue = Math.clamp((int) (h * 255.0), 0, 255);
            saturation = Math.clamp((int) (s * 255.0), 0, 255);
        }
        return toRgb(hue + shift & 255, saturation, max);
    }

    private static int toRgb(int hue, int saturation, int value) {
        if (saturation == 0) {
            return value << 16 | value << 8 | value;
        }
        int sector = (int) Math.floor((float) hue * 6.0 / 255.0);
        float f = (float) ((float) hue * 6.0 / 255.0 - sector);
        float s = (float) (saturation / 255.0);
        int p = round(value * (1.0 - s));
        int q = round(value * (1.0 - s * f));
        int t = round(value * (1.0 - s * (1.0 - f)));
        return switch (sector % 6) {
            case 0 -> value << 16 | t << 8 | p;
            case 1 -> q << 16 | value << 8 | p;
            case 2 -> p << 16 | value << 8 | t;
            case 3 -> p << 16 | q << 8 | value;
            case 4 -> t << 16 | p << 8 | value;
            default -> value << 16 | p << 8 | q;
        };
    }

    /** Half away from zero, as C rounds. */
    private static int round(double value) {
        return Math.clamp((long) Math.floor(value + 0.5), 0, 255);
    }
}
