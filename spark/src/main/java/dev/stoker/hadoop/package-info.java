/**
 * What Hadoop's filesystems hold, as paths: {@code hdfs://host:port/folder}, {@code abfs://…}, whatever the Hadoop that
 * Spark brings is set up for. It is only read.
 *
 * <p>Hadoop itself is not part of Stoker. {@link dev.stoker.hadoop.HadoopFiles} and the reader that it opens name its
 * classes; the others load without them, so that an address can be told from a file, and refused, anywhere.
 */
@NullMarked
package dev.stoker.hadoop;

import org.jspecify.annotations.NullMarked;
