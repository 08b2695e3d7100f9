/**
 * The order in which samples are delivered, who delivers them, and the proof of it.
 *
 * <p>The words of this package:
 *
 * <ul>
 *   <li><b>order</b>: for every seed and epoch a permutation of the samples, computed and never stored: {@link
 *       dev.stoker.feed.Order#at}.
 *   <li><b>position</b>: a place in the order of one epoch, counted from 0 over all ranks. The {@link
 *       dev.stoker.feed.Position} of a job is the epoch and the <b>cursor</b>: every position before it is delivered.
 *       After a crash some positions <b>beyond</b> the cursor are delivered too.
 *   <li><b>shard</b>: the rank of a process and the number of all (world). What remains of an epoch is dealt one
 *       position in turn, beginning with rank 0; a rank's part is its {@link dev.stoker.feed.Share}.
 *   <li><b>tail</b>: what happens when the last round over the ranks is not full: {@link dev.stoker.feed.Tail}.
 *   <li><b>view</b>: what stands at a position: a sample of one dataset, of a {@link dev.stoker.feed.Subset} or of a
 *       {@link dev.stoker.feed.Mix}.
 *   <li><b>ledger</b>: what a rank delivered, written as it delivers; {@link dev.stoker.feed.LedgerCheck} proves from
 *       the ledgers of all ranks and restarts that every position was delivered exactly once.
 * </ul>
 *
 * <p>Everything but the files of {@link dev.stoker.feed.Position} and {@link dev.stoker.feed.Ledger} is a pure function.
 * {@code docs/format/order.md} and {@code docs/format/ledger.md} specify both so that other languages can follow.
 */
@NullMarked
package dev.stoker.feed;

import org.jspecify.annotations.NullMarked;
