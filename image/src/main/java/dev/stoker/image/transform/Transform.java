package dev.stoker.image.transform;

import dev.stoker.image.kernel.ResizeTaps.Filter;

/** One step from a picture to a tensor. */
public sealed interface Transform {
    /** To a fixed size; see {@link ResizeShortSide} for the form that keeps the ratio. */
    record Resize(int height, int width, Filter filter) implements Transform {
        public Resize {
            checkSize("Resize", height, width);
        }
    }

    /** The short side becomes {@code side}, the long one follows; unless {@code maxSide} (0: none) is smaller than that. */
    record ResizeShortSide(int side, int maxSide, Filter filter) implements Transform {
        public ResizeShortSide {
            checkSize("Resize", side, side);
            if (maxSide != 0 && maxSide <= side) {
                throw new IllegalArgumentException(
                        "Resize: max_size should be greater than size (" + side + ") but is " + maxSide);
            }
        }
    }

    /** The middle; a picture that is smaller gets a black margin. */
    record CenterCrop(int height, int width) implements Transform {
        public CenterCrop {
            checkSize("CenterCrop", height, width);
        }
    }

    /** Anywhere, after a black margin of {@code padding}; a picture that is smaller still is refused unless {@code padIfNeeded}. */
    record RandomCrop(int height, int width, int padding, boolean padIfNeeded) implements Transform {
        public RandomCrop {
            checkSize("RandomCrop", height, width);
            if (padding < 0) {
                throw new IllegalArgumentException("RandomCrop: padding should not be negative but is " + padding);
            }
        }
    }

    /** A box of random area and ratio, resized. */
    record RandomResizedCrop(
            int height, int width, double minScale, double maxScale, double minRatio, double maxRatio, Filter filter)
            implements Transform {
        public RandomResizedCrop {
            checkSize("RandomResizedCrop", height, width);
            if (!(minScale > 0 && minScale <= maxScale && minRatio > 0 && minRatio <= maxRatio)) {
                throw new IllegalArgumentException(
                        "RandomResizedCrop: scale and ratio should be two positive numbers each, the smaller first");
            }
        }

        public RandomResizedCrop(int size) {
            this(size, size, 0.08, 1, 3 / 4., 4 / 3., Filter.BILINEAR);
        }
    }

    record RandomHorizontalFlip(double p) implements Transform {
        public RandomHorizontalFlip {
            if (!(p >= 0 && p <= 1)) {
                throw new IllegalArgumentException("RandomHorizontalFlip: p should be from 0 to 1 but is " + p);
            }
        }
    }

    /** Brightness, contrast, saturation and hue by random factors, in random order. */
    record ColorJitter(Range brightness, Range contrast, Range saturation, Range hue) implements Transform {
        public ColorJitter {
            for (Range r : new Range[] {brightness, contrast, saturation}) {
                if (!(r.from() >= 0 && r.from() <= r.to())) {
                    throw new IllegalArgumentException(
                            "ColorJitter: a range of factors should not be negative and begin with the smaller but is "
                                    + r);
                }
            }
            if (!(hue.from() >= -0.5 && hue.from() <= hue.to() && hue.to() <= 0.5)) {
                throw new IllegalArgumentException("ColorJitter: hue should be from -0.5 to 0.5 but is " + hue);
            }
        }
    }

    /** The factors that a jitter draws from. */
    record Range(double from, double to) {
        /** As torchvision reads a single number: 1 - value to 1 + value, not below 0. */
        public static Range around1(double value) {
            return new Range(Math.max(0, 1 - value), 1 + value);
        }

        public static Range around0(double value) {
            return new Range(-value, value);
        }

        boolean isOnly(double value) {
            return from == value && to == value;
        }
    }

    /** To grey, as one channel or as three equal ones. */
    record Grayscale(int channels) implements Transform {
        public Grayscale {
            if (channels != 1 && channels != 3) {
                throw new IllegalArgumentException(
                        "Grayscale: num_output_channels should be 1 or 3 but is " + channels);
            }
        }
    }

    /** From 0 to 1 instead of 0 to 255. */
    record ToFloat() implements Transform {}

    /** Per channel: divided by 255, minus mean, divided by std; one value each serves all channels. */
    record Normalize(float[] mean, float[] std) implements Transform {
        public Normalize {
            if (mean.length != std.length || mean.length != 1 && mean.length != 3) {
                throw new IllegalArgumentException("Normalize: mean and std should have 1 or 3 values each but have "
                        + mean.length + " and " + std.length);
            }
            for (float s : std) {
                if (!(s > 0)) {
                    throw new IllegalArgumentException("Normalize: std should be positive but is " + s);
                }
            }
        }

        /** The values that most published models were trained with. */
        public static Normalize imagenet() {
            return new Normalize(new float[] {0.485f, 0.456f, 0.406f}, new float[] {0.229f, 0.224f, 0.225f});
        }
    }

    private static void checkSize(String name, int height, int width) {
        if (height < 1 || width < 1 || height > 65_535 || width > 65_535) {
            throw new IllegalArgumentException(
                    name + ": a side should be 1 to 65535 pixels but the size is " + height + " x " + width);
        }
    }
}
