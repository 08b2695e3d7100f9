/** What archives of files have in common. */
@NullMarked
package dev.stoker.formats.shared.tree;

import org.jspecify.annotations.NullMarked;
