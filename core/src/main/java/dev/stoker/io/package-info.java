/**
 * Files and memory outside the Java heap: mapped files, files read and written by position, growing buffers,
 * checksums.
 *
 * <p>Who owns what: a segment handed out by a {@link dev.stoker.io.MappedFile} is valid until that file is closed;
 * using it afterwards throws {@link java.lang.IllegalStateException}, never crashes.
 */
@NullMarked
package dev.stoker.io;

import org.jspecify.annotations.NullMarked;
