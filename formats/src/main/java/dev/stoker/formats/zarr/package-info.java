/**
 * Zarr, in one zip or in a folder: written by plan, read by its own parser. Start reading at {@link
 * dev.stoker.formats.zarr.ZarrZipFormat}, whose Javadoc is the layout; {@link
 * dev.stoker.formats.zarr.write.ZarrZipPlan} and {@link dev.stoker.formats.zarr.write.ZarrFolderPlan} write it, {@link dev.stoker.formats.zarr.read.ZarrReader} reads it.
 */
@NullMarked
package dev.stoker.formats.zarr;

import org.jspecify.annotations.NullMarked;
