package dev.stoker.image;

import dev.stoker.image.kernel.Kernels;
import dev.stoker.image.transform.ChainPlan;
import dev.stoker.image.transform.Transform;
import dev.stoker.image.transform.TransformParser;
import java.util.List;
import java.util.Optional;

/**
 * From the encoded bytes of a picture to its slot in a batch. The pipeline is immutable and shared; each thread has a
 * {@link PipelineWorker} of its own.
 *
 * <pre>{@code
 * ImagePipeline pipeline = ImagePipeline.parse("RandomResizedCrop(224),RandomHorizontalFlip", Layout.CHW, DType.UINT8);
 * PipelineWorker worker = pipeline.worker();
 * worker.run(encoded, batch, slot * pipeline.outputBytes(), seed, epoch, sample);
 * }</pre>
 *
 * <p>Values of a float type go from 0 to 1, or are normalised if the chain says so. In uint8 pixels stay as they are, from 0
 * to 255: a chain with Normalize then leaves that step to the reader of the batch, see {@link #deferredNormalize}.
 */
public final class ImagePipeline {
    private final ChainPlan plan;
    private final Layout layout;
    private final DType dtype;
    private final PipelineOptions options;

    private ImagePipeline(ChainPlan plan, Layout layout, DType dtype, PipelineOptions options) {
        this.plan = plan;
        this.layout = layout;
        this.dtype = dtype;
        this.options = options;
    }

    /** @throws IllegalArgumentException that says what is wrong with the specification, and what is valid */
    public static ImagePipeline parse(String spec, Layout layout, DType dtype) {
        return of(TransformParser.parse(spec), layout, dtype);
    }

    public static ImagePipeline of(List<Transform> transforms, Layout layout, DType dtype) {
        return new ImagePipeline(ChainPlan.of(transforms), layout, dtype, PipelineOptions.DEFAULT);
    }

    public ImagePipeline with(PipelineOptions options) {
        return new ImagePipeline(plan, layout, dtype, options);
    }

    /** Height, width, channels or channels, height, width. */
    public int[] outputShape() {
        return layout == Layout.HWC
                ? new int[] {plan.height(), plan.width(), plan.channels()}
                : new int[] {plan.channels(), plan.height(), plan.width()};
    }

    /** The size of one picture's slot. */
    public long outputBytes() {
        return (long) plan.height() * plan.width() * plan.channels() * dtype.bytes();
    }

    public Layout layout() {
        return layout;
    }

    public DType dtype() {
        return dtype;
    }

    /** The chain's Normalize if the batch is uint8, which cannot hold normalised values. */
    public Optional<Transform.Normalize> deferredNormalize() {
        return dtype == DType.UINT8 ? Optional.ofNullable(plan.normalize()) : Optional.empty();
    }

    /** A worker for one thread. */
    public PipelineWorker worker() {
        return worker(Kernels.best());
    }

    PipelineWorker worker(Kernels kernels) {
        return new PipelineWorker(plan.chain(layout, dtype, kernels), options, outputBytes(), kernels);
    }
}
