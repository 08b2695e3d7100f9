/**
 * HDF5, written by plan and read by its own parser. Start reading at {@link dev.stoker.formats.hdf5.Hdf5Format}, whose
 * Javadoc is the layout; {@link dev.stoker.formats.hdf5.write.Hdf5Plan} writes it, {@link
 * dev.stoker.formats.hdf5.read.Hdf5Reader} reads it.
 */
@NullMarked
package dev.stoker.formats.hdf5;

import org.jspecify.annotations.NullMarked;
