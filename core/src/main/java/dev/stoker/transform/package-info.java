/**
 * Samples made of other samples: concatenated, joined as splits, labelled, converted to other types, or with changed
 * values.
 */
@NullMarked
package dev.stoker.transform;

import org.jspecify.annotations.NullMarked;
