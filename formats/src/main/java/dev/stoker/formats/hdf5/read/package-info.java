/**
 * Reading HDF5: which groups are splits, which datasets are fields, and where their values lie. Start reading at
 * {@link dev.stoker.formats.hdf5.read.Hdf5Reader}.
 */
@NullMarked
package dev.stoker.formats.hdf5.read;

import org.jspecify.annotations.NullMarked;
