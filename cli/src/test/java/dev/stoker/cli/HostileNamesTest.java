package dev.stoker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A data set whose names are orders to a terminal. */
class HostileNamesTest {
    private static final String CLASS = "cats\u001b[2J";
    private static final String FILE = "a\nstoker: all is well\u001b]0;owned\u0007\u009b.jpg";

    @TempDir
    Path folder;

    private Path container;

    @BeforeEach
    void pack() throws IOException {
        Path source = Files.createDirectories(folder.resolve("source").resolve(CLASS));
        Files.writeString(source.resolve(FILE), "no picture");
        container = folder.resolve("all.stk");
        said(0, "pack", folder.resolve("source"), "-o", container, "--no-sync");
    }

    /** Everything that a command says; nothing of it may be an order. */
    private String said(int code, Object... words) {
        var text = new StringWriter();
        var writer = new PrintWriter(text);
        String[] args = java.util.Arrays.stream(words).map(String::valueOf).toArray(String[]::new);
        assertThat(Main.run(Commands.ALL, writer, writer, args)).as("%s", text).isEqualTo(code);
        writer.flush();
        assertThat(text.toString().chars().filter(c -> Character.isISOControl(c) && c != '\n' && c != '\t'))
                .as("what stoker %s said: %s", args[0], text)
                .isEmpty();
        return text.toString();
    }

    @Test
    void namesAreShownAndNotObeyed() {
        assertThat(said(0, "inspect", container)).contains("cats\\x1b[2J");
        assertThat(said(0, "feed", container, "--print", "key"))
                .isEqualTo("cats\\x1b[2J/a\\nstoker: all is well\\x1b]0;owned\\x07\\x9b.jpg\n");
        assertThat(said(1, "--debug", "feed", container, "--decode", "image", "--transform", "CenterCrop(8)"))
                .contains("all.stk");
    }

    @Test
    void jsonSaysTheSame() {
        byte[] said = said(0, "inspect", container, "--json").getBytes(StandardCharsets.UTF_8);
        assertThat(Json.parse(said, "inspect")).asString().contains(CLASS);
    }

    @Test
    void theFilesThemselvesComeBackAsTheyWere() {
        said(0, "export", container, "-o", folder.resolve("again"));
        assertThat(folder.resolve("again").resolve(CLASS).resolve(FILE)).hasContent("no picture");
    }

    @Test
    void anErrorIsOneLine() {
        assertThat(said(1, "inspect", folder.resolve("x\n\u001b[31mstoker: fine")))
                .startsWith("stoker: [")
                .contains("x\\n\\x1b[31mstoker: fine")
                .hasLineCount(1);
    }
}
