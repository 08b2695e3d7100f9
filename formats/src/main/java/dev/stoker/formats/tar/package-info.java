/**
 * Tar archives: written as WebDataset reads them, and any tar read. Start reading at {@link
 * dev.stoker.formats.tar.TarFormat}, whose Javadoc is the layout.
 */
@NullMarked
package dev.stoker.formats.tar;

import org.jspecify.annotations.NullMarked;
