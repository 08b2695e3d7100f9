package dev.stoker.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TerminalTest {
    public static void main(String[] args) {
        System.out.println(Terminal.now());
        System.out.println(Terminal.ofErrors());
    }

    /** In a process of its own, whose standard output is a pipe wherever the tests run. */
    @Test
    void aPipeIsNoTerminal() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TerminalTest.class.getName())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("Optional.empty\nOptional.empty\n");
        assertThat(process.waitFor()).isZero();
    }
}
