/** Reading Zarr 2 and 3, from folders and zips. Start reading at {@link dev.stoker.formats.zarr.read.ZarrReader}. */
@NullMarked
package dev.stoker.formats.zarr.read;

import org.jspecify.annotations.NullMarked;
