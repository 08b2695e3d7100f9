/**
 * The contract that every format meets: reading is deriving an Index once ({@link dev.stoker.format.Format#derive}),
 * writing is planning every byte's place from the sizes alone ({@link dev.stoker.format.Format#plan}).
 *
 * <p>Start reading at {@link dev.stoker.format.Format}; {@link dev.stoker.format.StkFormat} is the shortest example,
 * {@link dev.stoker.container.Container} is what readers open.
 */
@NullMarked
package dev.stoker.format;

import org.jspecify.annotations.NullMarked;
