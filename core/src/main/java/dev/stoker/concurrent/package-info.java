/** Threads that share work, and how far it is. */
@NullMarked
package dev.stoker.concurrent;

import org.jspecify.annotations.NullMarked;
