package dev.stoker.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.cli.Commands;
import dev.stoker.cli.Main;
import dev.stoker.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeersCommandTest {
    @TempDir
    private Path folder;

    private String out = "";
    private String err = "";

    @BeforeEach
    void write() throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve("data/a")).resolve("one.txt"), "one");
        Files.writeString(Files.createDirectories(folder.resolve("data/b")).resolve("two.txt"), "two");
    }

    @Test
    void listsThePeers() {
        assertThat(run("--list")).isZero();
        assertThat(out).contains("h5py", "FFCV", "raw,photos   Hugging Face datasets");
    }

    @Test
    void refusesWhatIsNotThere() {
        assertThat(run("--only", "nobody")).isEqualTo(2);
        assertThat(err).contains("unknown peer 'nobody' in --only; available peers: stoker-feed");
        assertThat(run("--data", at("nothing"))).isEqualTo(2);
        assertThat(err).contains("nothing] is not a folder");
        assertThat(run("--data", at("data"), "--venv", at("nothing"))).isEqualTo(2);
        assertThat(err).contains("nothing] is not a virtual environment: it has no bin/python");
        assertThat(run("--data", at("data"), "--repeat", "0")).isEqualTo(2);
        assertThat(err).contains("should be at least 1");
    }

    /** Nobody can take part: the reason is in the table and in the file, and the exit code tells. */
    @Test
    void saysWhoIsLeftOutAndWhy() throws IOException {
        Path python = Files.createDirectories(folder.resolve("broken/bin")).resolve("python");
        Files.writeString(python, "#!/bin/sh\necho 'SomeError: no Python here' >&2\nexit 1\n");
        assertThat(python.toFile().setExecutable(true)).isTrue();

        int code = run(
                "--data",
                at("data"),
                "--job",
                "raw",
                "--only",
                "h5py,stoker-feed",
                "--venv",
                at("broken"),
                "--environments",
                at("e"),
                "--work",
                at("work"));

        assertThat(code).isEqualTo(1);
        assertThat(out)
                .contains("raw bytes into memory: 2 samples of 3 B")
                .contains("h5py", "skipped: the environment light cannot be installed: SomeError: no Python here")
                .contains("skipped: there is no command 'stoker' beside this program");
        var result = (Map<?, ?>) Json.parse(Files.readString(folder.resolve("work/result.json")), "result.json");
        var job = (Map<?, ?>) ((List<?>) result.get("jobs")).getFirst();
        assertThat((List<?>) job.get("left_out")).hasSize(2);
        assertThat(folder.resolve("work/raw")).isDirectoryNotContaining(Files::isDirectory);
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    private int run(String... args) {
        var outWriter = new StringWriter();
        var errWriter = new StringWriter();
        var words = new ArrayList<>(List.of("bench", "peers"));
        words.addAll(List.of(args));
        int code = Main.run(
                Commands.ALL, new PrintWriter(outWriter), new PrintWriter(errWriter), words.toArray(String[]::new));
        out = outWriter.toString();
        err = errWriter.toString();
        return code;
    }
}
