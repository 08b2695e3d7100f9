package dev.stoker.image;

import dev.stoker.feed.Decoder;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Lets a feed decode pictures: {@code feed.decode("data", ImageDecoder.of(pipeline))}. What is random in the pipeline follows
 * from the feed's seed, its epoch and the number of the sample. A picture that cannot be decoded is a bad sample.
 */
public final class ImageDecoder implements Decoder {
    private final FieldType.Tensor output;
    private final PipelineWorker worker;

    private ImageDecoder(ImagePipeline pipeline) {
        output = new FieldType.Tensor(
                type(pipeline.dtype()),
                Arrays.stream(pipeline.outputShape()).mapToObj(Long::valueOf).toList());
        worker = pipeline.worker();
    }

    /** Makes a decoder for every thread. */
    public static Supplier<ImageDecoder> of(ImagePipeline pipeline) {
        return () -> new ImageDecoder(pipeline);
    }

    /** NumPy has no bfloat16, and so fields have none: its bits are a uint16, which the reader views as what it is. */
    private static dev.stoker.sample.DType type(DType dtype) {
        return switch (dtype) {
            case UINT8 -> dev.stoker.sample.DType.UINT8;
            case FLOAT16 -> dev.stoker.sample.DType.FLOAT16;
            case BFLOAT16 -> dev.stoker.sample.DType.UINT16;
            case FLOAT32 -> dev.stoker.sample.DType.FLOAT32;
        };
    }

    @Override
    public FieldType.Tensor output() {
        return output;
    }

    @Override
    public void decode(MemorySegment encoded, MemorySegment batch, long offset, long seed, long epoch, long sample) {
        worker.run(encoded, batch, offset, seed, epoch, sample);
    }
}
