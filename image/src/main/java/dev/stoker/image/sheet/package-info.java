/** Contact sheets: samples to look at, as they are stored or as a training sees them, with their labels. */
@NullMarked
package dev.stoker.image.sheet;

import org.jspecify.annotations.NullMarked;
