/** What reader and writer of Parquet share: types, encodings, the tree of columns. */
@NullMarked
package dev.stoker.formats.parquet.schema;

import org.jspecify.annotations.NullMarked;
