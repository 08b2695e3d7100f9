/**
 * Folders of files as samples: {@link dev.stoker.listing.FolderSource} walks a folder and notes names and sizes,
 * outside the heap. No file is opened for that, except {@code .npy} headers.
 */
@NullMarked
package dev.stoker.listing;

import org.jspecify.annotations.NullMarked;
