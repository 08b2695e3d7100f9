/**
 * Blocks: pieces of a container that are stored compressed, and have to be decoded before a sample can be read.
 *
 * <p>All blocks of a container, decoded and laid one after another, make one row of bytes: the <em>decoded bytes</em>.
 * Values that lie in blocks have extents in it, so that the Index knows nothing about compression but a {@link
 * dev.stoker.block.BlockTable table} of where each block is stored and by which {@link dev.stoker.block.CodecPipeline steps}
 * it is decoded. Formats only fill that table; decoding, caching and errors are here, once for all of them.
 *
 * <p>Who owns what:
 *
 * <ul>
 *   <li>A {@link dev.stoker.block.BlockTable} never changes, and is everybody's.
 *   <li>{@link dev.stoker.block.BlockCache} is shared by all threads and all containers, without a lock. The thread that asks for a
 *       block first owns it while it decodes it; the others wait for that one, and get its error if it fails. Then the
 *       block is never written again and lives as long as somebody holds it, so throwing it out of the cache takes
 *       nothing from a thread that still reads.
 *   <li>The files of a {@code DiskCache} are shared by all processes of a user, without a lock. One that is being written has a
 *       random name and belongs to its writer; with its final name it is only read, or deleted by whoever finds the folder too
 *       large. A reader takes what has the right checksum, and nothing else.
 * </ul>
 *
 * <p>{@code BlockCacheStressTest} and {@code DiskCacheStressTest} try this with threads of random speeds.
 */
@NullMarked
package dev.stoker.block;

import org.jspecify.annotations.NullMarked;
