/** Commands that deliver samples and watch that: {@code feed}, {@code ledger}, {@code serve}, {@code top}. */
@NullMarked
package dev.stoker.cli.feed;

import org.jspecify.annotations.NullMarked;
