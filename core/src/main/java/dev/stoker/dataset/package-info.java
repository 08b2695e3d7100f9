/** Many files under one numbering of samples. Start reading at {@link dev.stoker.dataset.Dataset}. */
@NullMarked
package dev.stoker.dataset;

import org.jspecify.annotations.NullMarked;
