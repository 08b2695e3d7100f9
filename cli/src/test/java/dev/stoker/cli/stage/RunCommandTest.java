package dev.stoker.cli.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.cli.Commands;
import dev.stoker.cli.Ending;
import dev.stoker.cli.Main;
import dev.stoker.os.Signals;
import dev.stoker.stage.MountTable;
import dev.stoker.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code stoker run} as a process: what the command sees, how it ends, and what is left then. */
@Timeout(120)
class RunCommandTest {
    private static final int KILL = 9;
    private static final int TERM = 15;
    private static final int USR1 = 10;

    @TempDir
    Path temp;

    private Path source;
    private Path place;

    @BeforeEach
    void makeSource() throws IOException {
        source = Files.createDirectories(temp.resolve("src/d")).getParent();
        Files.writeString(source.resolve("d/1.txt"), "one");
        Files.writeString(source.resolve("2.txt"), "two");
        place = Files.createDirectory(temp.resolve("place"));
    }

    /** Runs {@code stoker run --data SRC WORDS… -- sh -c SCRIPT}; what it stages to local lies in {@link #place}. */
    private Process start(Map<String, String> variables, Path data, List<String> words, String script)
            throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "run",
                "--data",
                data.toString()));
        command.addAll(words);
        command.addAll(List.of("--", "sh", "-c", script));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("SLURM_"));
        builder.environment().put("STOKER_LOCAL", place.toString());
        builder.environment().putAll(variables);
        return builder.start();
    }

    /** Data that cannot be read would be complained of first, were they looked at. */
    @Test
    void aCommandThatDoesNotExistIsFoundBeforeAnythingIsStaged() throws Exception {
        for (String program : new String[] {"no-such-command", "/no/such/command"}) {
            Ending done = Ending.of("run", "--data", temp.resolve("none"), "--", program);
            assertThat(done.code()).isEqualTo(127);
        }
        Path text = Files.writeString(temp.resolve("text"), "not a program");
        assertThat(Ending.of("run", "--data", temp.resolve("none"), "--", text).code())
                .isEqualTo(126);
    }

    private Process start(String script) throws IOException {
        return start(Map.of(), source, List.of("--via", "local"), script);
    }

    private static String output(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private List<String> left() {
        return List.of(place.toFile().list());
    }

    @Test
    void theCommandHasItsDataStreamsAndExitCode() throws Exception {
        Process process = start("cat \"$STOKER_DATA/d/1.txt\" -; ls \"$STOKER_DATA\"; echo error >&2; exit 7");
        try (var in = process.getOutputStream()) {
            in.write(" from stdin\n".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(output(process)).isEqualTo("one from stdin\n2.txt\nd\nerror\n");
        assertThat(process.waitFor()).isEqualTo(7);
        assertThat(left()).isEmpty();
    }

    @Test
    void aCommandThatASignalEndedGives128AndItsNumber() throws Exception {
        assertThat(start("kill -9 $$").waitFor()).isEqualTo(128 + KILL);
        assertThat(left()).isEmpty();
    }

    @Test
    void signalsArePassedOn() throws Exception {
        Path ready = temp.resolve("ready");
        Path taken = temp.resolve("taken");
        Process process = start("trap 'echo usr1; touch " + taken + "' USR1; trap 'echo term; exit 3' TERM; touch '"
                + ready + "'; while :; do sleep 0.1; done");
        Await.until("the command runs", () -> Files.exists(ready));
        Signals.send(process.pid(), USR1);
        Await.until("the command took USR1", () -> Files.exists(taken));
        Signals.send(process.pid(), TERM);
        assertThat(output(process)).isEqualTo("usr1\nterm\n");
        assertThat(process.waitFor()).isEqualTo(3);
        assertThat(left()).isEmpty();
    }

    /** The watcher reads from the file of this user which process to end. */
    private boolean isCommandNoted() throws IOException {
        try (Stream<Path> files = Files.walk(place)) {
            return files.anyMatch(
                    file -> file.getParent().endsWith("users") && file.toFile().length() > 0);
        }
    }

    @Test
    void whenStokerIsKilledTheWatcherEndsTheCommandAndCleans() throws Exception {
        Path ready = temp.resolve("ready");
        Process process = start("(trap '' TERM; echo $$ >'" + ready + "'; sleep 60)");
        Await.until("the command runs on its data", () -> Files.exists(ready) && !left().isEmpty());
        Await.until("the watcher can know the command", this::isCommandNoted);
        Signals.send(process.pid(), KILL);
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        Await.until("the data is gone", () -> left().isEmpty());
        long child = Long.parseLong(Files.readString(ready).strip());
        Await.until("the command has ended", () -> ProcessHandle.of(child).isEmpty());
    }

    @Test
    void whatNobodyCouldCleanTheNextStartDoes() throws Exception {
        Process process = start("kill -9 $(pgrep -f stoker-watcher.*" + place + "); kill -9 $PPID");
        assertThat(process.waitFor()).isEqualTo(128 + KILL);
        assertThat(left()).hasSize(1);
        assertThat(start("true").waitFor()).isZero();
        assertThat(left()).isEmpty();
    }

    @Test
    void ranksOfAJobShareOneCopyAndTheLastOneOutCleans() throws Exception {
        var ranks = new ArrayList<Process>();
        for (int rank = 0; rank < 3; rank++) {
            Map<String, String> variables = Map.of(
                    "OMPI_COMM_WORLD_RANK", "" + rank, "OMPI_COMM_WORLD_SIZE", "3", "PMIX_NAMESPACE", "job-" + temp);
            ranks.add(start(
                    variables,
                    source,
                    List.of("--via", "local"),
                    "echo $STOKER_DATA; touch '" + temp + "/at'" + rank + "; while [ $(ls '" + temp
                            + "' | grep -c at) -lt 3 ]; do sleep 0.05; done; sleep 0." + rank
                            + "; cat $STOKER_DATA/2.txt"));
        }
        var outputs = new ArrayList<String>();
        for (Process rank : ranks) {
            outputs.add(output(rank));
            assertThat(rank.waitFor()).isZero();
        }
        assertThat(outputs).containsOnly(outputs.getFirst());
        assertThat(outputs.getFirst()).endsWith("two");
        assertThat(left()).isEmpty();
    }

    @Test
    void keptDataServeTheNextRun() throws Exception {
        List<String> keep = List.of("--via", "local", "--keep");
        String first = output(start(Map.of(), source, keep, "echo $STOKER_DATA"));
        assertThat(left()).hasSize(1);
        assertThat(output(start("echo $STOKER_DATA"))).isEqualTo(first);
        assertThat(left()).hasSize(1);
    }

    @Test
    void aMountedContainerIsGoneAfterwards() throws Exception {
        String refusal = MountTable.refusal();
        assumeTrue(refusal == null, refusal);
        Path packed = temp.resolve("x.stk");
        var out = new java.io.PrintWriter(new java.io.StringWriter());
        assertThat(Main.run(Commands.ALL, out, out, "pack", source.toString(), "-o", packed.toString()))
                .isZero();
        Process process = start(
                Map.of(), packed, List.of("--via", "mount"), "echo $STOKER_DATA; cat $STOKER_DATA/d/1.txt; exit 4");
        String[] lines = output(process).split("\n");
        assertThat(process.waitFor()).isEqualTo(4);
        assertThat(lines).as(Arrays.toString(lines)).hasSize(2).endsWith("one");
        assertThat(Path.of(lines[0])).doesNotExist();
        assertThat(MountTable.isMounted(Path.of(lines[0]))).isFalse();
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            List<ProcessHandle> servers = all.filter(
                            each -> each.info().commandLine().orElse("").contains(lines[0]))
                    .toList();
            for (ProcessHandle server : servers) {
                server.onExit().get(10, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void whatIsNotThereIsNamed() throws Exception {
        Process missing = start(Map.of(), temp.resolve("none"), List.of(), "true");
        assertThat(output(missing)).contains("none] cannot be read: there is no such file or folder");
        assertThat(missing.waitFor()).isEqualTo(1);
        assertThat(start("exec no-such-command").waitFor()).isEqualTo(127);
    }
}
