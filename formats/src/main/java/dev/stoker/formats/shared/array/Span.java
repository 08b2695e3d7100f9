package dev.stoker.formats.shared.array;

/** Bytes of a container. */
public record Span(long offset, long length) {}
