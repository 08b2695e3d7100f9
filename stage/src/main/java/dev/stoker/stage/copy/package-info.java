/** Copying data to a node: in pieces, by many threads, resumable, each piece compared after it is written. */
@NullMarked
package dev.stoker.stage.copy;

import org.jspecify.annotations.NullMarked;
