/** NumPy's files of one array. See {@link dev.stoker.formats.numpy.NpyFormat}, whose Javadoc is the layout. */
@NullMarked
package dev.stoker.formats.numpy;

import org.jspecify.annotations.NullMarked;
