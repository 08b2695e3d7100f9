/**
 * SquashFS images without compressed data: written by many writers at once, and read where they lie. Start reading at
 * {@link dev.stoker.formats.squashfs.SquashFormat}, whose Javadoc is the layout.
 */
@NullMarked
package dev.stoker.formats.squashfs;

import org.jspecify.annotations.NullMarked;
