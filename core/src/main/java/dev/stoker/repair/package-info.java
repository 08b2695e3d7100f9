/** Repairing a damaged container from the samples that it was packed from. */
@NullMarked
package dev.stoker.repair;

import org.jspecify.annotations.NullMarked;
