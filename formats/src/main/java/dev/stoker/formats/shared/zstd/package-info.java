/** What readers of zstd have to know of its frames before they give them memory. */
@NullMarked
package dev.stoker.formats.shared.zstd;

import org.jspecify.annotations.NullMarked;
