package dev.stoker.image.transform;

import dev.stoker.image.PictureSource;
import dev.stoker.image.kernel.Kernels;
import dev.stoker.image.kernel.ResizeTaps.Filter;

/** Turns and resizes whole pictures. One per thread; it keeps its buffers. */
public final class Resizer {
    private final PendingGeometry geometry = new PendingGeometry();
    private final GeometryPainter run;
    private final Picture plain = new Picture();
    private final Picture turned = new Picture();
    private final Picture resized = new Picture();

    public Resizer(Kernels kernels) {
        run = new GeometryPainter(kernels);
    }

    /**
     * The picture in another size, antialiased; valid until the next one.
     *
     * @param orientation as EXIF has it, 1 to 8: the picture is turned first
     */
    public Picture resize(PictureSource source, int orientation, int width, int height) {
        PictureSource upright = source;
        if (orientation != 1) {
            geometry.begin(source.width(), source.height());
            run.run(source, geometry, plain);
            Orientation.apply(orientation, plain, turned);
            upright = turned;
        }
        geometry.begin(upright.width(), upright.height());
        geometry.resize(width, height, Filter.BICUBIC);
        run.run(upright, geometry, resized);
        return resized;
    }
}
