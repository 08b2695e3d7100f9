/**
 * Measures the feed over many formats and settings, so that one run says which format and which settings suit these data on
 * this machine.
 *
 * <p>Every format is packed and read by a process of its own ({@link dev.stoker.bench.sweep.Worker}), so that one that
 * crashes or hangs takes nothing with it, memory is told apart, and no format runs code that was compiled for another.
 * The processes take turns: in every round each measures each setting once, in an order of that round's own, while all
 * others wait.
 */
@NullMarked
package dev.stoker.bench.sweep;

import org.jspecify.annotations.NullMarked;
