/**
 * Blocks: pieces of a container that are stored compressed, and have to be decoded before a sample can be read.
 *
 * <p>All blocks of a container, decoded and laid one after another, make one row of bytes: the <em>decoded bytes</em>.
 * Values that lie in blocks have extents in it, so that the Index knows nothing about compression but a {@link
 * dev.stoker.block.BlockTable table} of where each block is stored and by which {@link dev.stoker.block.Pipeline steps}
 * it is decoded. Formats only fill that table; decoding, caching and errors are here, once for all of them.
 *
 * <p>Threads: a {@link dev.stoker.block.BlockTable} never changes. {@link dev.stoker.block.BlockCache} is shared by all
 * threads and all containers; the thread that asks for a block first decodes it, the others wait for that one. A
 * decoded block is never written again and lives as long as somebody holds it, so throwing it out of the cache takes
 * nothing from a thread that still reads.
 */
@NullMarked
package dev.stoker.block;

import org.jspecify.annotations.NullMarked;
