/**
 * Apache Parquet. Start reading at {@link dev.stoker.formats.parquet.ParquetFormat}, whose Javadoc is the byte layout;
 * {@link dev.stoker.formats.parquet.ParquetPlan} writes it, {@link dev.stoker.formats.parquet.ParquetReader} reads it.
 * Both describe columns as {@link dev.stoker.formats.parquet.SchemaNode}s. Metadata is Thrift's compact protocol, by
 * {@link dev.stoker.formats.parquet.ThriftWriter} and {@link dev.stoker.formats.parquet.ThriftReader}.
 */
@NullMarked
package dev.stoker.formats.parquet;

import org.jspecify.annotations.NullMarked;
