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
 */
@NullMarked
package dev.stoker.serve;

import org.jspecify.annotations.NullMarked;
