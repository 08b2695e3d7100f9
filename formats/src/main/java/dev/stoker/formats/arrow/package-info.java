/**
 * The Arrow IPC file format: what {@code pyarrow.ipc.new_file} and Feather version 2 write. Start reading at {@link
 * dev.stoker.formats.arrow.ArrowFormat}, whose Javadoc is the byte layout; {@link
 * dev.stoker.formats.arrow.ArrowPlan} writes it, {@link dev.stoker.formats.arrow.ArrowReader} reads it. Both describe
 * columns as {@link dev.stoker.formats.arrow.ArrowField}s.
 */
@NullMarked
package dev.stoker.formats.arrow;

import org.jspecify.annotations.NullMarked;
