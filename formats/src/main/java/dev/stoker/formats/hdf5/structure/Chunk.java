package dev.stoker.formats.hdf5.structure;

/**
 * A chunk as it is stored.
 *
 * @param place its first byte in the file
 * @param stored how many bytes
 * @param leftOut the filters that it did not go through, the lowest bit being the first filter
 */
public record Chunk(long place, long stored, int leftOut) {}
