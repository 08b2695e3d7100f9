/**
 * Commands that write containers: {@code pack}, {@code convert}, {@code seal}.
 *
 * <p>The way of a pack: {@code WriteOptions} parses and makes a {@code PackJob}, the {@code PackJob} joins the other ranks,
 * a {@code PackRun} packs, and {@code PackReport} tells what became of it.
 */
@NullMarked
package dev.stoker.cli.pack;

import org.jspecify.annotations.NullMarked;
