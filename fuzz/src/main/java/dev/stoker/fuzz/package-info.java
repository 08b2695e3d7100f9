/**
 * Hostile and damaged input for every parser. {@link dev.stoker.fuzz.Targets} lists them; {@code checks/fuzz.sh} runs
 * them, {@code checks/flips.sh} flips single bits of containers and asks whether that is noticed.
 *
 * <p>A target reads one input. Inputs are real files and what {@code Mutator} makes of them, by number and seed; {@code
 * Fuzzer} judges what happens. {@link dev.stoker.fuzz.JazzerTarget} gives the same targets to Jazzer, which looks for new
 * ways through the code.
 *
 * <p>What a reader hides from others is reached from its own package: {@code dev.stoker.feed}, {@code dev.stoker.serve}, {@code
 * dev.stoker.s3}.
 */
@NullMarked
package dev.stoker.fuzz;

import org.jspecify.annotations.NullMarked;
