/** Thrift's compact protocol, in which Parquet writes its metadata. */
@NullMarked
package dev.stoker.formats.parquet.thrift;

import org.jspecify.annotations.NullMarked;
