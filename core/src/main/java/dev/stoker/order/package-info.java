/**
 * Which sample stands at which position of which epoch, and which rank delivers it: pure functions, specified in
 * {@code docs/format/order.md}. Start reading at {@link dev.stoker.order.Order}; the state of a whole job is a {@link
 * dev.stoker.order.Position}.
 */
@NullMarked
package dev.stoker.order;

import org.jspecify.annotations.NullMarked;
