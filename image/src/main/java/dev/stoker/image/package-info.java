/** Pictures to training batches: decoders, transforms, and the pipeline that joins them. */
@NullMarked
package dev.stoker.image;

import org.jspecify.annotations.NullMarked;
