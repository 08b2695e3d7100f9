/** How tar is written: by its own format, and for programs that read it from a stream. */
@NullMarked
package dev.stoker.formats.shared.tar;

import org.jspecify.annotations.NullMarked;
