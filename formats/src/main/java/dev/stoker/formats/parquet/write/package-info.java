/** Writing Parquet by plan. Start reading at {@link dev.stoker.formats.parquet.write.ParquetPlan}. */
@NullMarked
package dev.stoker.formats.parquet.write;

import org.jspecify.annotations.NullMarked;
