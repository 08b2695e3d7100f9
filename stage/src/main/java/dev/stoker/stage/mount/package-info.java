/**
 * A container as a mounted filesystem, by the kernel's FUSE protocol. {@code FuseRequests} answers the requests; {@code
 * FileTree} says what there is.
 */
@NullMarked
package dev.stoker.stage.mount;

import org.jspecify.annotations.NullMarked;
