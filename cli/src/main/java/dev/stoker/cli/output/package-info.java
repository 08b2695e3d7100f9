/** What commands share: reports, progress bars, numbers for people, and a clean stop. */
@NullMarked
package dev.stoker.cli.output;

import org.jspecify.annotations.NullMarked;
