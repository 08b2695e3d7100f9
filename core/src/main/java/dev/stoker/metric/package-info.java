/**
 * What a running process counts, and where that goes.
 *
 * <pre>
 * Measured  ->  Meter      ->  Registry  ->  Snapshot  ->  JsonLines, EventFile   every few seconds
 * a feed,       its past       all of a                    PrometheusServer       when it is asked
 * a pack ..     and labels     process                     Board                  every second, for `stoker top`
 *                                            Usage     ->  Bottleneck             in words
 * </pre>
 *
 * <p>Whoever works counts in fields of its own; nothing here is called while a batch is made. {@link
 * dev.stoker.metric.Metric} lists all there is; {@code docs/how-to/metrics.md} explains them. {@link
 * dev.stoker.metric.export.MetricsExporter} is the thread that takes snapshots. What goes wrong with a place while it is written never
 * stops the work: it is said once, and counted.
 */
@NullMarked
package dev.stoker.metric;

import org.jspecify.annotations.NullMarked;
