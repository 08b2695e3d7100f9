/** What all of Stoker shares. */
@NullMarked
package dev.stoker;

import org.jspecify.annotations.NullMarked;
