/**
 * Where metrics go: Prometheus, TensorBoard, JSON Lines. {@link dev.stoker.metric.export.MetricsExporter} is the
 * thread that takes snapshots and writes them.
 */
@NullMarked
package dev.stoker.metric.export;

import org.jspecify.annotations.NullMarked;
