/** Measures: always two contestants in one run, in turn, so that what is reported is a ratio and not this machine. */
@NullMarked
package dev.stoker.bench;

import org.jspecify.annotations.NullMarked;
