/**
 * Apache Parquet. Start reading at {@link dev.stoker.formats.parquet.ParquetFormat}, whose Javadoc is the byte layout;
 * {@link dev.stoker.formats.parquet.write.ParquetPlan} writes it, {@link dev.stoker.formats.parquet.read.ParquetReader} reads it.
 * Both describe columns as {@link dev.stoker.formats.parquet.schema.SchemaNode}s. Metadata is Thrift's compact protocol, by
 * {@link dev.stoker.formats.parquet.thrift.ThriftWriter} and {@link dev.stoker.formats.parquet.thrift.ThriftReader}.
 */
@NullMarked
package dev.stoker.formats.parquet;

import org.jspecify.annotations.NullMarked;
