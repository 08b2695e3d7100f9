package dev.stoker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Command
    static final class Load implements Callable<Integer> {
        @Option(names = "--force")
        boolean force;

        @Option(names = "--tries")
        int tries;

        @Option(names = "--mode")
        Mode mode = Mode.eager;

        enum Mode {
            eager,
            lazy
        }

        @Override
        public Integer call() {
            return force ? 0 : 1;
        }
    }

    @Command
    record Failing(Supplier<Exception> failure) implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            throw failure.get();
        }
    }

    private int run(String... args) {
        return run(() -> new StokerException("unused"), args);
    }

    private int run(Supplier<Exception> failure, String... args) {
        List<SubCommand> commands = List.of(
                new SubCommand("load", "Load a thing", Load::new),
                new SubCommand("fail", "Fail at a thing", () -> new Failing(failure)));
        return Main.run(commands, new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    @Test
    void helpListsCommandsAndExamples() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("load", "Load a thing", "Examples:", "--debug", "stoker pack photos/");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void anInternalErrorIsADefectUnlessAMappedFileFailed() {
        var defect = new InternalError("not of a file");
        assertThatThrownBy(() -> run(failing(defect), "fail")).isSameAs(defect);
        var fault = new InternalError("a fault occurred in an unsafe memory access operation");
        assertThat(run(failing(fault), "fail")).isEqualTo(1);
        assertThat(err.toString()).contains("a mapped file could not be read");
    }

    private static Supplier<Exception> failing(Error error) {
        return () -> {
            throw error;
        };
    }

    @Test
    void helpMakesNoSubCommand() {
        SubCommand forbidden = new SubCommand("load", "Load", () -> {
            throw new AssertionError("made");
        });
        assertThat(Main.run(List.of(forbidden), new PrintWriter(out), new PrintWriter(err), "--help"))
                .isZero();
    }

    @Test
    void subCommandHasHelpFromTheList() {
        assertThat(run("load", "--help")).isZero();
        assertThat(out.toString()).contains("Usage: stoker load", "Load a thing", "--force");
    }

    @Test
    void subCommandGivesTheExitCode() {
        assertThat(run("load", "--force")).isZero();
        assertThat(run("load")).isOne();
    }

    @Test
    void versionNamesJava() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).startsWith("stoker ").contains("Java " + System.getProperty("java.version"));
    }

    @Test
    void nothingToDoIsWrongUse() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("Usage: stoker");
    }

    @Test
    void optionsWithoutACommandAreWrongUse() {
        assertThat(run("--debug")).isEqualTo(2);
        assertThat(err.toString()).startsWith("stoker: Missing required subcommand");
    }

    @Test
    void unknownCommandIsOneSentenceWithASuggestion() {
        assertThat(run("laod")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualToIgnoringNewLines(
                        "stoker: unknown command 'laod'; did you mean 'load'? (see `stoker --help`)");
    }

    @Test
    void swappedLettersAreOneMistake() {
        assertThat(Main.run(Commands.ALL, new PrintWriter(out), new PrintWriter(err, true), "hepl"))
                .isEqualTo(2);
        assertThat(err.toString())
                .isEqualToIgnoringNewLines(
                        "stoker: unknown command 'hepl'; did you mean 'help'? (see `stoker --help`)");
    }

    @Test
    void unknownOptionIsOneSentenceWithASuggestion() {
        assertThat(run("load", "--forse")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualToIgnoringNewLines(
                        "stoker: Unknown option: '--forse'; did you mean '--force'? (see `stoker load --help`)");
    }

    @Test
    void wrongValueIsOneSentence() {
        assertThat(run("load", "--tries", "many")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualToIgnoringNewLines("stoker: Invalid value for option '--tries': should be a whole number but is"
                        + " 'many' (see `stoker load --help`)");
    }

    @Test
    void wrongChoiceIsOneSentenceWithASuggestion() {
        assertThat(run("load", "--mode", "lasy")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualToIgnoringNewLines(
                        "stoker: Invalid value for option '--mode': expected one of [eager, lazy] (case-sensitive) but was"
                                + " 'lasy'; did you mean 'lazy'? (see `stoker load --help`)");
    }

    @Test
    void helpIsACommandToo() {
        assertThat(run("load", "--help")).isZero();
        String wanted = out.toString();
        for (String[] args : new String[][] {
            {"help", "load"}, {"help", "load", "--help"}, {"--debug", "help", "load"}, {"help", "--debug", "load"}
        }) {
            out.getBuffer().setLength(0);
            assertThat(run(args)).isZero();
            assertThat(out.toString()).isEqualTo(wanted);
        }
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void helpAloneIsThatOfAllCommands() {
        assertThat(run("--help")).isZero();
        String wanted = out.toString();
        assertThat(wanted).containsPattern("help +Show help for a command");
        out.getBuffer().setLength(0);
        assertThat(run("help")).isZero();
        assertThat(out.toString()).isEqualTo(wanted);
    }

    @Test
    void helpOfAnUnknownCommandIsWrongUse() {
        assertThat(run("help", "laod")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualToIgnoringNewLines(
                        "stoker: unknown command 'laod'; did you mean 'load'? (see `stoker --help`)");
    }

    @Test
    void failureIsOneSentence() {
        assertThat(run(() -> new StokerException("[a.tar] is damaged"), "fail")).isOne();
        assertThat(err.toString()).isEqualToIgnoringNewLines("stoker: [a.tar] is damaged");
    }

    @Test
    void missingFileIsOneSentence() {
        assertThat(run(() -> new NoSuchFileException("a.tar"), "fail")).isOne();
        assertThat(err.toString()).isEqualToIgnoringNewLines("stoker: [a.tar] there is no such file or folder");
    }

    @Test
    void defectAsksForAReport() {
        assertThat(run(() -> new IllegalStateException("odd"), "fail")).isOne();
        assertThat(err.toString()).startsWith("stoker: internal error: ").hasLineCount(1);
    }

    @Test
    void outputThatIsLostIsAFailure() throws Exception {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "formats");
        Process process = new ProcessBuilder(command)
                .redirectOutput(new File("/dev/full"))
                .start();
        String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isOne();
        assertThat(said)
                .isEqualTo("stoker: cannot write to standard output: its disk is full, or its reader has exited\n");
    }

    @Test
    void withoutAHomeJavaIsLookedForElsewhere() throws Exception {
        String script = ". \"$0\"/tools/find-java.sh; STOKER_JAVA_MIN=99; find_java java";
        var builder =
                new ProcessBuilder("sh", "-euc", script, System.getProperty("stoker.root")).redirectErrorStream(true);
        builder.environment().keySet().removeAll(List.of("HOME", "STOKER_JAVA_HOME"));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isOne();
        assertThat(said).startsWith("stoker: no JDK 99 or newer found in ").contains("pip install 'stoker[java]'");
    }

    @Test
    void debugShowsTheTraceWhereverItStands() {
        Supplier<Exception> failure = () -> new StokerException("outer", new IOException("inner"));
        assertThat(run(failure, "--debug", "fail")).isOne();
        assertThat(run(failure, "fail", "--debug")).isOne();
        assertThat(err.toString().split("Caused by: java.io.IOException: inner", -1))
                .hasSize(3);
    }
}
