/**
 * What a sample is: a record of named, typed fields.
 *
 * <p>A field's <em>value</em> is a run of bytes in one canonical form that every format, the Index and every batch
 * share: raw bytes, UTF-8 text, little-endian numbers, row-major arrays, or a {@link dev.stoker.sample.TextList}. So a
 * value can be copied from one container to another without looking into it.
 */
@NullMarked
package dev.stoker.sample;

import org.jspecify.annotations.NullMarked;
