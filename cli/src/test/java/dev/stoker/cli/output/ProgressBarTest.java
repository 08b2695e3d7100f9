package dev.stoker.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.concurrent.Progress;
import dev.stoker.os.Signals;
import dev.stoker.testkit.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
    private static final String ERASE = "\r\u001b[K";
    private static final int INTERRUPT = 2;
    private static final int COLUMNS = 80;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream captured = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    private PrintStream before = System.err;

    @BeforeEach
    void capture() {
        before = System.err;
        System.setErr(captured);
        System.setProperty("stoker.terminal", "true");
    }

    @AfterEach
    void release() {
        System.clearProperty("stoker.terminal");
        System.setErr(before);
    }

    private String shown() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static Progress halfDone() {
        var progress = new Progress();
        progress.begin("a phase with a name that is rather long", 1_000_000, 1L << 40);
        progress.add(500_000, 1L << 39);
        return progress;
    }

    @Test
    void noLineIsGluedToTheBar() throws Exception {
        try (var bar = ProgressBar.of(halfDone())) {
            Await.until("the bar", () -> shown().contains("500,000 of 1,000,000"));
            System.err.println("a warning of another part");
            bar.say("a line of the command");
        }
        assertThat(shown())
                .containsPattern("\r\u001b\\[Ka warning of another part\n")
                .containsPattern("(\r\u001b\\[K|\n)a line of the command\n");
        assertThat(System.err).isSameAs(captured);
    }

    @Test
    void theBarFitsIntoTheTerminalAndIsGoneAtTheEnd() throws Exception {
        try (var _ = ProgressBar.of(halfDone())) {
            Await.until("the bar", () -> shown().contains("500,000"));
        }
        assertThat(shown()).endsWith(ERASE);
        assertThat(shown().split("\r\u001b\\[K"))
                .allSatisfy(drawn -> assertThat(drawn.length()).isLessThan(COLUMNS));
    }

    public static void main(String[] args) throws InterruptedException {
        try (var _ = ProgressBar.of(halfDone()).onInterrupt(() -> "what was written is kept")) {
            System.out.println("begun");
            System.out.flush();
            Thread.sleep(60_000);
        }
    }

    @Test
    void anInterruptSaysWhatIsKept() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ProgressBarTest.class.getName())
                .start();
        assertThat(process.getInputStream().read()).isEqualTo('b');
        Signals.send(process.pid(), INTERRUPT);
        assertThat(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("stoker: interrupted; what was written is kept\n");
        assertThat(process.waitFor()).isEqualTo(128 + INTERRUPT);
    }
}
