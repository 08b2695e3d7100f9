/**
 * Zarr, in one zip or in a folder: written by plan, read by its own parser. Start reading at {@link
 * dev.stoker.formats.zarr.ZarrZipFormat}, whose Javadoc is the layout; {@link
 * dev.stoker.formats.zarr.ZarrZipPlan} and {@link dev.stoker.formats.zarr.ZarrFolderPlan} write it, {@link dev.stoker.formats.zarr.ZarrReader} reads it.
 */
@NullMarked
package dev.stoker.formats.zarr;

import org.jspecify.annotations.NullMarked;
