/** The command: it reads options, calls the modules that do the work, and prints. It holds no logic of its own. */
@NullMarked
package dev.stoker.cli;

import org.jspecify.annotations.NullMarked;
