/**
 * An open container: bytes plus an Index. Start reading at {@link dev.stoker.container.Container}. {@code
 * ContainerOpener} says what a path is, {@link dev.stoker.container.Sidecar} finds the Index of a third-party format,
 * and {@code EditDetector} refuses a container that was edited after its Index was made.
 */
@NullMarked
package dev.stoker.container;

import org.jspecify.annotations.NullMarked;
