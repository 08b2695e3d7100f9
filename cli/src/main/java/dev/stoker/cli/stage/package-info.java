/** Commands that bring data to a node: {@code stage}, {@code run}, {@code mount}, {@code unmount}. */
@NullMarked
package dev.stoker.cli.stage;

import org.jspecify.annotations.NullMarked;
