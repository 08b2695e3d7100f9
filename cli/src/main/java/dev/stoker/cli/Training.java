package dev.stoker.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

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
        System.exit(0); // as Main ends
    }

    private static void run(String... args) {
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        Main.run(Commands.ALL, out, out, args);
        out.flush();
    }
}
