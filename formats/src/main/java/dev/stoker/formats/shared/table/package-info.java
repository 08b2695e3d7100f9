/** What formats that hold a table of columns share. */
@NullMarked
package dev.stoker.formats.shared.table;

import org.jspecify.annotations.NullMarked;
