package dev.stoker.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import dev.stoker.StokerException;
import dev.stoker.feed.Batch;
import dev.stoker.sample.DType;
import dev.stoker.sample.FieldType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.LongStream;

/** A field of a batch as an array of DJL. */
final class Arrays {
    private Arrays() {}

    /** The array is a copy: it stays as it is when the feed uses the memory of the batch again. */
    static NDArray of(Batch batch, int field, NDManager manager) {
        if (!batch.isDense(field)) {
            throw new StokerException(
                    "field '" + batch.schema().fields().get(field).name() + "' of type "
                            + batch.schema().type(field).label()
                            + " has values of different lengths; decode it, or pad it with FeedBuilder.pad");
        }
        ByteBuffer values = batch.values(field).asByteBuffer().order(ByteOrder.nativeOrder());
        FieldType type = batch.schema().type(field);
        Shape shape = switch (type) {
            case FieldType.Scalar _ -> new Shape(batch.size());
            case FieldType.Tensor tensor ->
                new Shape(LongStream.concat(
                                LongStream.of(batch.size()),
                                tensor.shape().stream().mapToLong(Long::longValue))
                        .toArray());
            default ->
                new Shape(batch.size(), batch.stride(field) / typeOf(type).bytes());
        };
        try (NDArray shared = manager.create(values, shape, dataType(typeOf(type)))) {
            return shared.duplicate();
        }
    }

    private static DType typeOf(FieldType type) {
        return switch (type) {
            case FieldType.Scalar scalar -> scalar.dtype();
            case FieldType.Tensor tensor -> tensor.dtype();
            case FieldType.Array array -> array.dtype();
            default -> DType.UINT8;
        };
    }

    private static DataType dataType(DType type) {
        return switch (type) {
            case INT8 -> DataType.INT8;
            case INT16 -> DataType.INT16;
            case INT32 -> DataType.INT32;
            case INT64 -> DataType.INT64;
            case UINT8 -> DataType.UINT8;
            case UINT16 -> DataType.UINT16;
            case UINT32 -> DataType.UINT32;
            case UINT64 -> DataType.UINT64;
            case FLOAT16 -> DataType.FLOAT16;
            case FLOAT32 -> DataType.FLOAT32;
            case FLOAT64 -> DataType.FLOAT64;
            case BOOL -> DataType.BOOLEAN;
        };
    }
}
