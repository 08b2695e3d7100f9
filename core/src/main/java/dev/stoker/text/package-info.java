/** Reading text strictly: UTF-8 that is checked, lines that are counted, lengths that are limited. */
@NullMarked
package dev.stoker.text;

import org.jspecify.annotations.NullMarked;
