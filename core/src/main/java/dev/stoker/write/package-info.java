/**
 * Writing a container: planned from the sizes of the samples, filled by any number of threads and ranks, sealed by a
 * rename.
 *
 * <p>Start reading at {@link dev.stoker.write.Packer}. The output is called {@code OUT.partial} until the seal; the
 * {@code Journal} beside it says which runs are done, so that a killed pack can resume.
 */
@NullMarked
package dev.stoker.write;

import org.jspecify.annotations.NullMarked;
