package dev.stoker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;

/** How a command ended that was run as a user types it: its exit code, and what it said. */
public record Ending(int code, String out, String err) {
    public static Ending of(Object... words) {
        var out = new StringWriter();
        var err = new StringWriter();
        String[] args = Stream.of(words).map(Object::toString).toArray(String[]::new);
        int code = Main.run(Commands.ALL, new PrintWriter(out), new PrintWriter(err), args);
        return new Ending(code, out.toString(), err.toString());
    }

    public Ending require(int expected) {
        assertThat(code).as(err).isEqualTo(expected);
        return this;
    }
}
