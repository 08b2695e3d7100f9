/** What this node and its processes are: memory limits, process identities, private files. */
@NullMarked
package dev.stoker.stage.node;

import org.jspecify.annotations.NullMarked;
