/** Codecs that only Zarr has: Blosc, LZ4 with a length, transposed chunks. */
@NullMarked
package dev.stoker.formats.zarr.codec;

import org.jspecify.annotations.NullMarked;
