/**
 * Bytes outside the Java heap: mapped files, files read and written by place, growing buffers, checksums; and the
 * addresses of bytes that are not on this machine. The only package that calls the foreign linker.
 *
 * <p>Who owns what: a segment handed out by a {@link dev.stoker.memory.MappedFile} is valid until that file is closed;
 * using it afterwards throws {@link java.lang.IllegalStateException}, never crashes.
 */
@NullMarked
package dev.stoker.memory;

import org.jspecify.annotations.NullMarked;
