/**
 * Samples that come while a job runs, from many processes, into one file: nobody knows how many or how large, and nobody
 * waits for anybody.
 *
 * <p>Until it is sealed the file is called {@code OUT.partial}. All numbers are little-endian.
 *
 * <pre>
 *   head      0   8  magic "STKCOLL1"
 *             8   4  length of the JSON that follows
 *            12   n  JSON: {"format": "arrow", "world": 8, "chunk": 4194304, "start": 65536,
 *                    "fields": [{"name": ..., "type": ...}], "classes": [...]}; every rank writes the same bytes
 *          12+n   4  CRC32C of the JSON
 *   chunks           from byte {@code start} on, of {@code chunk} bytes each; number c belongs to rank c mod world. A rank fills its chunks in order, each
 *                    from its first byte on, so no byte is ever written by two
 * </pre>
 *
 * A chunk holds batches, one after another, each at a multiple of 64, all within the chunk:
 *
 * <pre>
 *             0   8  magic "STKBATCH"
 *             8   4  rank
 *            12   4  number of samples; 0 only in a rank's first and last batch
 *            16   8  how many samples this rank gave before
 *            24   8  bytes of the table
 *            32   8  bytes of the values; they begin at the next multiple of 64 behind the table
 *            40   4  CRC32C of table and values
 *            44   4  1 in the batch that says that the rank is done, else 0
 *            48   4  CRC32C of the head's JSON
 *            52   8  in a rank's first batch, which it writes when it opens the file: a random number, its claim; else 0
 *            60   4  CRC32C of the bytes 0 to 59
 *            64      table: for each sample i64 its index (-1: none), then for each field u64 where its value begins, counted
 *                    from the first byte of the values, u64 its length, and for arrays u64 for each dimension
 *                    values: as the format holds them. stk: sample after sample, each field at a multiple of 8 (arrays: 64).
 *                    arrow: one record batch message
 * </pre>
 *
 * {@code start} is a multiple of 64 KiB that leaves room for the head, and for the container's own head, which is
 * written over it at the end. Before and after each batch a rank opens the file by its name and looks whether the magic is
 * still there: while the file is being salvaged it is "STKSEAL1", and a batch counts as written only if the magic is
 * there after it. It also looks whether the claim is still its own: of two processes that were given the same rank by
 * mistake, one at most continues. A batch is written in one go, so one that was interrupted does not have its checksum,
 * and what stands behind the last good batch of a chunk does not count. A rank that was not closed may have a write under
 * way for any time, so salvaging sets the mark, copies all whole batches to a new file, and gives that the name: a late
 * write reaches a file that has no name, and its rank is told. When every rank is closed, nothing is copied. Hence a rank that is killed loses only what it had not written, and nobody else loses anything. Until the
 * file has its name, a copy of the head lies in {@code OUT.partial.head}: sealing can begin anew as often as it is
 * interrupted. {@link dev.stoker.collect.CollectSealer} reads the batches, orders the samples, and writes the frame around
 * them; what it does not use of a chunk stays as a gap, which takes no place on the disk if nothing was written there.
 */
@NullMarked
package dev.stoker.collect;

import org.jspecify.annotations.NullMarked;
