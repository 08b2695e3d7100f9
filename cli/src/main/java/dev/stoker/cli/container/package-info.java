/**
 * Commands that look at containers: {@code inspect}, {@code cat}, {@code show}, {@code verify}, {@code export},
 * {@code index}, {@code formats}.
 */
@NullMarked
package dev.stoker.cli.container;

import org.jspecify.annotations.NullMarked;
