/** The two exceptions that Stoker throws; everything else lies in the packages below. */
@NullMarked
package dev.stoker;

import org.jspecify.annotations.NullMarked;
