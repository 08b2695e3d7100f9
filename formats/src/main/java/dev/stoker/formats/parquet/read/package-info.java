/**
 * Reading Parquet: footer, pages, encodings. Start reading at {@link dev.stoker.formats.parquet.read.ParquetReader}.
 */
@NullMarked
package dev.stoker.formats.parquet.read;

import org.jspecify.annotations.NullMarked;
