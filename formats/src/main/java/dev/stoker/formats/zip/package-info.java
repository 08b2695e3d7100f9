/**
 * Zip archives: written without compression by many writers at once, and read where they lie, or inflated. Start reading at {@link
 * dev.stoker.formats.zip.ZipFormat}, whose Javadoc is the layout.
 */
@NullMarked
package dev.stoker.formats.zip;

import org.jspecify.annotations.NullMarked;
