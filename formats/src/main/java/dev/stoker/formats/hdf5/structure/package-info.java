/**
 * The structures of an HDF5 file, as its specification names them: superblock, object headers, B-trees, heaps, chunk
 * indexes, datatypes, filters.
 */
@NullMarked
package dev.stoker.formats.hdf5.structure;

import org.jspecify.annotations.NullMarked;
