/**
 * From many small files to one container: a source is listed (sizes and small values), planned, filled by any number
 * of threads, and sealed.
 *
 * <p>Start reading at {@link dev.stoker.pack.Packer}. What is being written has the name {@code OUT.partial} until the
 * seal; the {@link dev.stoker.pack.Journal} beside it says which runs are done, so that a killed pack can go on.
 */
@NullMarked
package dev.stoker.pack;

import org.jspecify.annotations.NullMarked;
