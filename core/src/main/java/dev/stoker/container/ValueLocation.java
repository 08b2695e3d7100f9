package dev.stoker.container;

import java.nio.file.Path;

/**
 * A place in a file where a value is stored as it is.
 *
 * @param length how many of the value's bytes lie there in one piece
 */
public record ValueLocation(Path file, long offset, long length) {}
