/**
 * The operating system: system calls, descriptors, locks, sockets, signals, the terminal, and who owns a file. With
 * {@code io}, which maps files, the only place that leaves Java: {@link dev.stoker.os.Posix} alone calls the foreign
 * linker. {@link dev.stoker.os.FileErrors} turns what the system says into a sentence.
 */
@NullMarked
package dev.stoker.os;

import org.jspecify.annotations.NullMarked;
