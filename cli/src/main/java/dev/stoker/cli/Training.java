package dev.stoker.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * What the launcher runs once to record the start-up cache: classes that are loaded here start faster later. A command
 * whose start matters adds a small, harmless run of itself.
 */
final class Training {
    private Training() {}

    public static void main(String[] args) {
        run("--help");
        run("--version");
        run("--no-such-option");
        for (SubCommand command : Commands.ALL) {
            run(command.name(), "--help");
        }
    }

    private static void run(String... args) {
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        Main.run(Commands.ALL, nowhere, nowhere, args);
    }
}
