/**
 * What planned formats of groups and arrays share: how fields become arrays, and the pieces of a file that hold these.
 */
@NullMarked
package dev.stoker.formats.shared.array;

import org.jspecify.annotations.NullMarked;
