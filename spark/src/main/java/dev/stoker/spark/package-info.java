/**
 * Packing as a Spark job: the driver plans and seals, tasks fill the shares of the plan.
 *
 * <p>Spark runs a task again when its executor dies, and twice at once when it is slow. Both are harmless: a task writes
 * the same bytes to the same places of the one file, whose name is final only when all tasks are done.
 *
 * <p>Spark itself is not part of Stoker. {@link dev.stoker.spark.SparkSubmit} finds one that is installed; all other
 * classes here run inside it, and so does its Hadoop ({@code dev.stoker.hadoop}).
 */
@NullMarked
package dev.stoker.spark;

import org.jspecify.annotations.NullMarked;
