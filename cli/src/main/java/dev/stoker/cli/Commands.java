package dev.stoker.cli;

import java.util.List;

/** All sub-commands, in the order in which {@code stoker --help} lists them. A new one is one new line here. */
final class Commands {
    static final List<SubCommand> ALL = List.of();

    private Commands() {}
}
