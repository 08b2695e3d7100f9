package dev.stoker.cli;

import java.util.function.Supplier;

/**
 * One sub-command as the list of all knows it.
 *
 * @param summary what it does, in one line of {@code stoker --help}
 * @param create makes the annotated picocli object; called only when this sub-command runs, so that a start loads the
 *     classes of one sub-command and not of all
 */
record SubCommand(String name, String summary, Supplier<Object> create) {}
