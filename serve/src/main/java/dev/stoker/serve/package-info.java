/**
 * The reader process of a node: it reads, decodes and batches for all ranks that run there, and hands each its batches in
 * shared memory; and it collects what they give. {@code docs/format/batch-exchange.md} specifies what goes over the socket.
 *
 * <pre>
 * Reader      accepts connections; ends when the last one is gone
 *   Session   one client: its requests, its feed
 *     FeedRequest   what the client wants, as a FeedBuilder
 *     SharedBlocks  the memory of its batches, which the client maps too
 *     BatchMessage  where in it a batch lies
 *     Intake        the samples that the client gives, for a Collector
 * </pre>
 *
 * <p>Every client has a session of its own, with its own thread, feed and memory; sessions share the open datasets and
 * nothing else. A client that is gone, however it ended, is noticed by the end of its connection.
 *
 * <p>Who owns what:
 *
 * <ul>
 *   <li>The thread that accepts owns the listening socket, and each connection until it has seen whose it is. Then the
 *       connection, the feed's consumer side and the {@code CollectSession} belong to the session's thread.
 *   <li>A block of {@code SharedBlocks} is made and given back by threads of the session's feed, one at a time; {@code
 *       SharedBlocks} has a lock for that and for the session's questions. Its bytes belong to the feed's threads while
 *       a batch is read into it (see {@code dev.stoker.feed}), to the session from {@code Feed.next} on, and to the client
 *       from the BATCH message until its next request, which the session takes as the batch given back.
 *   <li>The open file of a block belongs to {@code SharedBlocks} until it went with its first batch; then it is closed
 *       here, and the client's mapping is the client's. A block that is freed is named in the next BATCH: until then the
 *       client may have it mapped, but no batch of the client's lies in it.
 *   <li>{@code Datasets} has a lock of its own, which is held while a dataset is opened: two clients that want the same wait
 *       for one opening.
 * </ul>
 *
 * <p>{@code ExchangeStressTest} tries this with clients and threads of random speeds.
 */
@NullMarked
package dev.stoker.serve;

import org.jspecify.annotations.NullMarked;
