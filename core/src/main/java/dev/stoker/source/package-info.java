/**
 * What can be packed: {@link dev.stoker.source.Sources} finds out whether a path is a folder, a manifest, a container
 * or a compressed archive, and opens it as samples.
 */
@NullMarked
package dev.stoker.source;

import org.jspecify.annotations.NullMarked;
