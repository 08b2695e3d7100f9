package dev.stoker.image.transform;

import dev.stoker.image.DType;
import dev.stoker.image.Layout;
import dev.stoker.image.kernel.Kernels;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A chain of transforms that was checked: its order makes sense and every picture comes out in the same size.
 *
 * @param normalize the chain's Normalize, if it has one
 */
public record ChainPlan(
        List<Transform> transforms, int height, int width, int channels, Transform.@Nullable Normalize normalize) {
    /** @throws IllegalArgumentException that says which transform does not fit */
    public static ChainPlan of(List<Transform> transforms) {
        int height = 0;
        int width = 0;
        int channels = 3;
        Transform.Normalize normalize = null;
        boolean floats = false;
        for (Transform t : transforms) {
            if (floats && !(t instanceof Transform.Normalize)) {
                throw new IllegalArgumentException(
                        t.getClass().getSimpleName() + " after ToFloat or Normalize; put it before");
            }
            switch (t) {
                case Transform.Resize r -> {
                    height = r.height();
                    width = r.width();
                }
                case Transform.ResizeShortSide r -> {
                    height = 0;
                    width = 0;
                }
                case Transform.CenterCrop c -> {
                    height = c.height();
                    width = c.width();
                }
                case Transform.RandomCrop c -> {
                    height = c.height();
                    width = c.width();
                }
                case Transform.RandomResizedCrop c -> {
                    height = c.height();
                    width = c.width();
                }
                case Transform.Grayscale g -> channels = g.channels();
                case Transform.ToFloat f -> floats = true;
                case Transform.Normalize n -> {
                    if (normalize != null) {
                        throw new IllegalArgumentException("Normalize twice in one chain");
                    }
                    normalize = n;
                    floats = true;
                }
                case Transform.RandomHorizontalFlip f -> {}
                case Transform.ColorJitter j -> {}
            }
        }
        if (height == 0) {
            throw new IllegalArgumentException(
                    "the pictures would come out in different sizes; add RandomResizedCrop, RandomCrop, "
                            + "CenterCrop or Resize with (height, width)");
        }
        if (normalize != null && normalize.mean().length > 1 && channels == 1) {
            throw new IllegalArgumentException("Normalize with 3 values after Grayscale to 1 channel; give 1 value");
        }
        return new ChainPlan(List.copyOf(transforms), height, width, channels, normalize);
    }

    public TransformRunner chain(Layout layout, DType dtype, Kernels kernels) {
        return new TransformRunner(this, layout, dtype, kernels);
    }
}
