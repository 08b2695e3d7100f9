/**
 * Several processes that do one thing together through a folder that all of them see, without locks, messages or
 * clocks.
 *
 * <p>The job folder of the output {@code OUT} is {@code .OUT.stoker-job} beside it. It holds one folder for each try,
 * whose name is random, and in that one
 *
 * <pre>
 *   rank-R        what rank R says of itself, as JSON: who it is, what it was given, how far it is, and a counter, its
 *                 heartbeat, that grows every second
 *   gift-N-R      the N-th thing that rank R found out for all, such as the sizes of its share of the files: u64
 *                 length, the bytes, u32 CRC32C of them
 * </pre>
 *
 * Every file is written under another name and then renamed, by one rank alone, so whoever sees it sees all of it; one
 * that is seen late is waited for. Whether a rank lives is told by its heartbeat: a number that changes, watched with
 * the watcher's own clock. Rank 0 leads: it makes the try, watches all others, seals, and deletes the folder when all
 * have left; the others watch rank 0 alone.
 *
 * <p>Ranks of the Python package that save a state meet in {@code .OUT.stoker-save}, with files of another kind. Each
 * refuses what the other left.
 *
 * <p>Start reading at {@link dev.stoker.job.Team}.
 */
@NullMarked
package dev.stoker.job;

import org.jspecify.annotations.NullMarked;
