package dev.stoker.image.transform;

import dev.stoker.image.DType;
import dev.stoker.image.ImageException;
import dev.stoker.image.Layout;
import dev.stoker.image.PictureSource;
import dev.stoker.image.kernel.Kernels;
import dev.stoker.image.kernel.ResizeTaps.Filter;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Runs a list of transforms on one picture after the other. One per thread; it keeps its buffers. */
public final class TransformRunner {
    private final List<Transform> transforms;
    private final PendingGeometry geometry = new PendingGeometry();
    private final GeometryPainter run;
    private final PixelOps ops = new PixelOps();
    private final SampleRandom random = new SampleRandom();
    private final Emitter emitter;
    private final Picture[] pictures = {new Picture(), new Picture()};
    private PictureSource source = pictures[0];
    private boolean fastScale;

    TransformRunner(ChainPlan plan, Layout layout, DType dtype, Kernels kernels) {
        transforms = plan.transforms();
        run = new GeometryPainter(kernels);
        emitter = new Emitter(layout, dtype, plan.channels(), plan.normalize());
    }

    /** A picture to decode into, for formats that cannot give single rows; pass it to {@link #apply}. */
    public Picture buffer() {
        return pictures[0];
    }

    /** Turns a picture as its EXIF orientation says; returns the picture to go on with. */
    public PictureSource orient(PictureSource from, int orientation) {
        if (orientation == 1) {
            return from;
        }
        geometry.begin(from.width(), from.height());
        Picture plain = from == pictures[0] ? pictures[0] : pictures[1];
        if (from != plain) {
            run.run(from, geometry, plain);
        }
        Picture turned = plain == pictures[0] ? pictures[1] : pictures[0];
        Orientation.apply(orientation, plain, turned);
        return turned;
    }

    /** The randomness is a function of (seed, epoch, sample). */
    public void apply(
            PictureSource from, boolean fastScale, MemorySegment out, long at, long seed, long epoch, long sample) {
        source = from;
        this.fastScale = fastScale;
        geometry.begin(from.width(), from.height());
        for (int i = 0; i < transforms.size(); i++) {
            random.set(seed, epoch, sample, i);
            step(transforms.get(i));
        }
        emitter.emit(draw(), out, at);
    }

    private void step(Transform transform) {
        switch (transform) {
            case Transform.Resize t -> resize(t.width(), t.height(), t.filter());
            case Transform.ResizeShortSide t -> resizeShortSide(t);
            case Transform.CenterCrop t -> centerCrop(t.height(), t.width());
            case Transform.RandomCrop t -> randomCrop(t);
            case Transform.RandomResizedCrop t -> randomResizedCrop(t);
            case Transform.RandomHorizontalFlip t -> {
                if (random.nextDouble() < t.p()) {
                    geometry.mirror();
                }
            }
            case Transform.ColorJitter t -> ops.jitter(t, random, draw());
            case Transform.Grayscale t -> ops.grayscale(draw());
            case Transform.ToFloat t -> {}
            case Transform.Normalize t -> {}
        }
    }

    /** Draws what was gathered, so that the picture is in memory; nothing to do if it already is. */
    private Picture draw() {
        if (source instanceof Picture picture && geometry.changesNothing()) {
            return picture;
        }
        Picture target = source == pictures[0] ? pictures[1] : pictures[0];
        if (fastScale && geometry.resized && source instanceof Shrinkable shrinkable) {
            shrink(shrinkable);
        }
        run.run(source, geometry, target);
        source = target;
        geometry.begin(target.width(), target.height());
        return target;
    }

    /** Lets the decoder shrink as far as the box stays at least as large as the wanted size. */
    private void shrink(Shrinkable shrinkable) {
        int by = 8;
        while (by > 1
                && (geometry.boxWidth / by < geometry.resizedWidth
                        || geometry.boxHeight / by < geometry.resizedHeight)) {
            by /= 2;
        }
        shrinkable.shrink(by);
        geometry.boxX /= by;
        geometry.boxY /= by;
        geometry.boxWidth /= by;
        geometry.boxHeight /= by;
    }

    private void resize(int width, int height, Filter filter) {
        if (!geometry.canResize()) {
            draw();
        }
        geometry.resize(width, height, filter);
    }

    /** The long side is cut off, not rounded, as in torchvision. */
    private void resizeShortSide(Transform.ResizeShortSide t) {
        int shortSide = Math.min(geometry.width, geometry.height);
        int longSide = Math.max(geometry.width, geometry.height);
        int newShort = t.side();
        long newLong = (long) t.side() * longSide / shortSide;
        if (t.maxSide() != 0 && newLong > t.maxSide()) {
            newShort = (int) ((long) t.maxSide() * newShort / newLong);
            newLong = t.maxSide();
        }
        if (newShort < 1 || newLong > 65_535) {
            throw new ImageException(
                    0,
                    "Resize(" + t.side() + ") of a picture of " + geometry.width + " x " + geometry.height
                            + " pixels would make it " + newShort + " x " + newLong);
        }
        boolean wide = geometry.width >= geometry.height;
        resize(wide ? (int) newLong : newShort, wide ? newShort : (int) newLong, t.filter());
    }

    /** The middle is rounded half to even, as Python rounds; a margin's odd pixel goes to the right and the bottom. */
    private void centerCrop(int height, int width) {
        int x = width > geometry.width
                ? -((width - geometry.width) / 2)
                : (int) Math.rint((geometry.width - width) / 2.0);
        int y = height > geometry.height
                ? -((height - geometry.height) / 2)
                : (int) Math.rint((geometry.height - height) / 2.0);
        geometry.crop(x, y, width, height);
    }

    private void randomCrop(Transform.RandomCrop t) {
        int left = -t.padding();
        int top = -t.padding();
        int width = geometry.width + 2 * t.padding();
        int height = geometry.height + 2 * t.padding();
        if (t.padIfNeeded() && width < t.width()) {
            int more = t.width() - width;
            left -= more;
            width += 2 * more;
        }
        if (t.padIfNeeded() && height < t.height()) {
            int more = t.height() - height;
            top -= more;
            height += 2 * more;
        }
        if (width < t.width() || height < t.height()) {
            throw new ImageException(
                    0,
                    "RandomCrop of " + t.width() + " x " + t.height() + " pixels from a picture of " + width + " x "
                            + height + "; use pad_if_needed=true, or Resize first");
        }
        int y = random.below(height - t.height() + 1);
        int x = random.below(width - t.width() + 1);
        geometry.crop(left + x, top + y, t.width(), t.height());
    }

    private void randomResizedCrop(Transform.RandomResizedCrop t) {
        int width = geometry.width;
        int height = geometry.height;
        double logFrom = Math.log(t.minRatio());
        double logTo = Math.log(t.maxRatio());
        for (int attempt = 0; attempt < 10; attempt++) {
            double area = (double) width * height * random.between(t.minScale(), t.maxScale());
            double ratio = Math.exp(random.between(logFrom, logTo));
            int w = (int) Math.rint(Math.sqrt(area * ratio));
            int h = (int) Math.rint(Math.sqrt(area / ratio));
            if (w > 0 && w <= width && h > 0 && h <= height) {
                int y = random.below(height - h + 1);
                int x = random.below(width - w + 1);
                geometry.crop(x, y, w, h);
                resize(t.width(), t.height(), t.filter());
                return;
            }
        }
        largestCentralBox(t, width, height);
        resize(t.width(), t.height(), t.filter());
    }

    private void largestCentralBox(Transform.RandomResizedCrop t, int width, int height) {
        double ratio = (double) width / height;
        int w = ratio > t.maxRatio() ? (int) Math.rint(height * t.maxRatio()) : width;
        int h = ratio < t.minRatio() ? (int) Math.rint(width / t.minRatio()) : height;
        w = Math.clamp(w, 1, width);
        h = Math.clamp(h, 1, height);
        geometry.crop((width - w) / 2, (height - h) / 2, w, h);
    }
}
