/** The loose files themselves, and an Index beside them. See {@link dev.stoker.formats.folder.FolderFormat}. */
@NullMarked
package dev.stoker.formats.folder;

import org.jspecify.annotations.NullMarked;
