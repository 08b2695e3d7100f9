/** Packing: from the sources to a sealed container, by any number of processes. */
@NullMarked
package dev.stoker.pack;

import org.jspecify.annotations.NullMarked;
