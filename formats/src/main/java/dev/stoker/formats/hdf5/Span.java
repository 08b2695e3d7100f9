package dev.stoker.formats.hdf5;

/** Bytes of the file. */
record Span(long offset, long length) {}
