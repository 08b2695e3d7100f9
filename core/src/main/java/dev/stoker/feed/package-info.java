/**
 * The feed: samples in a known order, each rank its share, read ahead into batches, and the proof of it.
 *
 * <p>The words of this package:
 *
 * <ul>
 *   <li><b>order</b>: for every seed and epoch a permutation of the samples, computed and never stored: {@link
 *       dev.stoker.order.Order#at}.
 *   <li><b>position</b>: a place in the order of one epoch, counted from 0 over all ranks. The {@link
 *       dev.stoker.order.Position} of a job is the epoch and the <b>cursor</b>: every position before it is delivered.
 *       After a crash some positions <b>beyond</b> the cursor are delivered too.
 *   <li><b>shard</b>: the rank of a process and the number of all (world). What remains of an epoch is dealt one
 *       position in turn, beginning with rank 0; a rank's part is its {@link dev.stoker.order.RankShare}.
 *   <li><b>tail</b>: what happens when the last round over the ranks is not full: {@link dev.stoker.order.TailPolicy}.
 *   <li><b>view</b>: what stands at a position: a sample of one dataset, of a {@link dev.stoker.order.Subset} or of a
 *       {@link dev.stoker.order.Mix}.
 *   <li><b>ledger</b>: what a rank delivered, written as it delivers; {@link dev.stoker.ledger.LedgerCheck} proves from
 *       the ledgers of all ranks and restarts that every position was delivered exactly once.
 * </ul>
 *
 * <p>Start reading at {@link dev.stoker.dataset.Dataset} and {@link dev.stoker.feed.Feed}. The data path is one line:
 *
 * <pre>
 * BatchPlanner -> BatchRows      -> BatchLayout      -> ValueReader     -> Feed
 * which part      which samples,    where each value    copies or reads    ledger, position,
 * of the share    in which files    is in memory        into its place     batch to the consumer
 * </pre>
 *
 * <p>Who owns what:
 *
 * <ul>
 *   <li>{@code BatchRing} has the only lock of the hot path. It guards the state of every {@code BatchSlot}, the {@code
 *       BatchMemory} that they share and the {@code BatchPlanner}, and is taken a few times for each batch. Threads that wait, wait on it; nobody spins.
 *   <li>A slot that is being planned belongs to one reader thread. When it is read, all reader threads take pieces of it
 *       by an atomic counter and write to different places of its memory: the hot path, {@code BatchSlot.work}, has no lock.
 *       The thread that finishes the last piece finishes the slot. Then it belongs to the consumer until it asks for the
 *       next batch.
 *   <li>{@code DatasetFiles} has its own lock for opening and closing files. A batch in flight holds its files open, unless the
 *       dataset has more files than may stay open: then each is held only while a value of it is read.
 *   <li>{@link dev.stoker.ledger.Ledger}, position and waits belong to the consumer's thread.
 *   <li>Decoders and their scratch memory belong to one reader thread each.
 * </ul>
 *
 * <p>Order, shard, position and view are pure functions. {@code docs/format/order.md} and {@code docs/format/ledger.md}
 * specify them so that other languages can follow.
 */
@NullMarked
package dev.stoker.feed;

import org.jspecify.annotations.NullMarked;
