/** The records of zip archives, and a reader of these that believes nothing unchecked. */
@NullMarked
package dev.stoker.formats.shared.zip;

import org.jspecify.annotations.NullMarked;
