/**
 * {@code stoker bench peers}: what people use instead of Stoker, on the same files in the same run.
 *
 * <p>A {@link Peer} is a line of {@code bench/python/peers/catalog.json} and a script beside it; both are resources of
 * this package. {@link Environments} makes what it needs, {@link Contestant} is its process, which answers one line of
 * JSON with another ({@code contest.py} says what they are), and {@link Contest} lets all of them take turns. Whatever a peer does wrong
 * is a {@link PeerFailure}: it is listed with the reason, and the others go on.
 */
@NullMarked
package dev.stoker.bench.peer;

import org.jspecify.annotations.NullMarked;
