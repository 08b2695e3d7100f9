/**
 * The inner loops of decoding and resizing, once in plain Java and once with the Vector API; both give the same bytes.
 *
 * <p>{@link dev.stoker.image.kernel.Kernels#best()} takes the vectors only where the runtime has
 * {@code jdk.incubator.vector}: the module is incubating, prints a warning when it is asked for, and is missing from some
 * runtimes. {@link dev.stoker.image.kernel.VectorKernels} is the only class that names it.
 */
@NullMarked
package dev.stoker.image.kernel;

import org.jspecify.annotations.NullMarked;
