/** Commands that measure and advise: {@code bench}, {@code advise}, {@code demo}. */
@NullMarked
package dev.stoker.cli.bench;

import org.jspecify.annotations.NullMarked;
