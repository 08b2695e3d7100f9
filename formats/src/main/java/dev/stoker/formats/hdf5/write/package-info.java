/**
 * Writing HDF5 by plan, variable length included. Start reading at {@link dev.stoker.formats.hdf5.write.Hdf5Plan};
 * {@code HeapArea} is the layout of variable-length values.
 */
@NullMarked
package dev.stoker.formats.hdf5.write;

import org.jspecify.annotations.NullMarked;
