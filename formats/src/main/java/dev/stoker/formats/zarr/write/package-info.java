/** Writing Zarr 3 by plan. Start reading at {@code ZarrContents}. */
@NullMarked
package dev.stoker.formats.zarr.write;

import org.jspecify.annotations.NullMarked;
