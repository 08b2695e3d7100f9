/** Codecs of compressed blocks that need a library. */
@NullMarked
package dev.stoker.formats.codec;

import org.jspecify.annotations.NullMarked;
