package dev.stoker.block;

/**
 * A row of the block table: a run of decoded bytes, and where it is stored.
 *
 * @param address where it begins among the decoded bytes
 * @param bytes how many decoded bytes it contributes
 * @param file 0: the container's own file; else a number in the list of files, from 1
 * @param offset where it is stored in that file; of tiles: where their list begins in the Index
 * @param stored how many bytes are stored
 * @param decoded how many bytes the stored ones make
 * @param skip how many of these come before the ones that it contributes
 * @param pipeline how it is decoded: a number in the list of pipelines
 */
public record Block(
        long address, long bytes, int file, long offset, long stored, long decoded, long skip, int pipeline) {}
