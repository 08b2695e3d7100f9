package dev.stoker.state;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import java.util.List;

/**
 * A tensor by name, type and shape; its values are little-endian and row-major.
 *
 * @param shape no dimension is negative; empty for a single number
 */
@PublicApi
public record Tensor(String name, TensorType type, List<Long> shape) {
    public Tensor {
        shape = List.copyOf(shape);
        long bytes = type.bytes();
        for (long length : shape) {
            if (length < 0) {
                throw new StokerException("tensor '" + name + "' has the shape " + shape + "; no length is negative");
            }
            try {
                bytes = Math.multiplyExact(bytes, length);
            } catch (ArithmeticException e) {
                throw new StokerException("tensor '" + name + "' of shape " + shape + " has more than 2^63 bytes", e);
            }
        }
    }

    /** How many bytes its values have. */
    public long bytes() {
        long bytes = type.bytes();
        for (long length : shape) {
            bytes *= length;
        }
        return bytes;
    }
}
