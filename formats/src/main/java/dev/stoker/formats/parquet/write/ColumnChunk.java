package dev.stoker.formats.parquet.write;

import org.jspecify.annotations.Nullable;

/**
 * The pages of one column in one row group, as they are written.
 *
 * @param bytes of its pages as they are stored, their headers with them
 * @param decodedBytes of its pages when they are decoded, their headers with them
 * @param values as the headers of its pages count them
 * @param bounds of all its values; null if they are not known
 * @param offsetIndex where each of its pages lies, as Thrift
 * @param columnIndex the bounds of each of its pages, as Thrift; empty if one has none
 */
record ColumnChunk(
        LeafColumn column,
        long offset,
        long bytes,
        long decodedBytes,
        long values,
        @Nullable ColumnBounds bounds,
        byte[] offsetIndex,
        byte[] columnIndex) {}
