package dev.stoker.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.image.kernel.Kernels;
import dev.stoker.image.kernel.ResizeTaps.Filter;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Resizes give Pillow's pixels; checks/images_golden.py prints the sums. */
class GeometryPainterTest {
    static Picture formula(int width, int height) {
        Picture p = new Picture();
        p.resize(width, height);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int i = y * width + x;
                p.plane(0)[i] = (byte) ((x * x + 3 * y * y + 7 * x * y) / 11 % 256);
                p.plane(1)[i] = (byte) ((x * 37 ^ y * 91) % 256);
                p.plane(2)[i] = (byte) ((x * y + x) % 251);
            }
        }
        return p;
    }

    @ParameterizedTest
    @CsvSource({
        "BILINEAR,300,200,224,224,1446340521",
        "BICUBIC,300,200,224,224,2933650712",
        "BICUBIC,40,30,97,61,838909321",
        "BILINEAR,500,90,31,33,267096781",
        "BICUBIC,90,500,80,21,407195171",
        "BILINEAR,1200,60,16,16,379213781",
        "BILINEAR,64,64,64,20,1663105058",
    })
    void resizesAsPillowDoes(Filter filter, int width, int height, int toWidth, int toHeight, long crc) {
        for (Kernels kernels : List.of(Kernels.best(), Kernels.scalar())) {
            PendingGeometry g = new PendingGeometry();
            g.begin(width, height);
            g.resize(toWidth, toHeight, filter);
            Picture out = new Picture();
            new GeometryPainter(kernels).run(formula(width, height), g, out);
            CRC32 sum = new CRC32();
            for (int i = 0; i < toWidth * toHeight; i++) {
                for (int c = 0; c < 3; c++) {
                    sum.update(out.plane(c)[i]);
                }
            }
            assertThat(sum.getValue()).as(kernels.name()).isEqualTo(crc);
        }
    }

    /** A window of a resized picture, mirrored, and with a margin, is that of drawing step by step. */
    @ParameterizedTest
    @CsvSource({"10, 20, 60, 50, false", "10, 20, 60, 50, true", "-10, -5, 130, 100, true", "50, 40, 80, 60, false"})
    void gatheringIsDrawingStepByStep(int x, int y, int width, int height, boolean mirrored) {
        GeometryPainter run = new GeometryPainter(Kernels.best());
        PendingGeometry g = new PendingGeometry();
        Picture resized = new Picture(), cropped = new Picture(), stepwise = new Picture(), gathered = new Picture();
        g.begin(200, 150);
        g.resize(110, 90, Filter.BILINEAR);
        run.run(formula(200, 150), g, resized);
        g.begin(110, 90);
        g.crop(x, y, width, height);
        run.run(resized, g, cropped);
        g.begin(width, height);
        if (mirrored) g.mirror();
        run.run(cropped, g, stepwise);

        g.begin(200, 150);
        g.resize(110, 90, Filter.BILINEAR);
        g.crop(x, y, width, height);
        if (mirrored) g.mirror();
        run.run(formula(200, 150), g, gathered);
        for (int c = 0; c < 3; c++) {
            assertThat(java.util.Arrays.copyOf(gathered.plane(c), width * height))
                    .isEqualTo(java.util.Arrays.copyOf(stepwise.plane(c), width * height));
        }
    }
}
