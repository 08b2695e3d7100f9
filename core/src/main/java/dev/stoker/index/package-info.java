/**
 * The Index: where the bytes of every field of every sample lie.
 *
 * <p>An Index is a file ({@code NAME.stkx}, a <em>sidecar</em>) beside a container, or the first part of a {@code .stk}
 * container. It is mapped and never parsed onto the heap; opening takes the same time for ten samples and for ten
 * billion. The bytes are specified in {@code docs/format/index.md}; {@link dev.stoker.index.IndexHeader} and {@link
 * dev.stoker.index.IndexMeta} are that specification in code.
 *
 * <p>Start reading at {@link dev.stoker.index.Index}; the hot path is {@link dev.stoker.index.Column}.
 */
@NullMarked
package dev.stoker.index;

import org.jspecify.annotations.NullMarked;
