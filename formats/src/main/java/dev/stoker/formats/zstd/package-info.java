/** Decompressing zstd, for sources such as {@code train.tar.zst}. */
@NullMarked
package dev.stoker.formats.zstd;

import org.jspecify.annotations.NullMarked;
