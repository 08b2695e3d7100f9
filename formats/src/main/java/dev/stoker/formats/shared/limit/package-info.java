/** Bounds on what a container can make its reader do. */
@NullMarked
package dev.stoker.formats.shared.limit;

import org.jspecify.annotations.NullMarked;
