package dev.stoker.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.StokerException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a contestant does, it is listed with the reason and the others go on. */
class ContestTest {
    private static final int FILES = 8;
    private static final Duration LIMIT = Duration.ofSeconds(4);

    @TempDir
    private Path folder;

    private long bytes;
    private long checksum;

    @BeforeEach
    void write() throws IOException {
        for (int i = 0; i < FILES; i++) {
            Path file = folder.resolve("data").resolve("c" + i % 2).resolve(i + ".bin");
            byte[] content = ("sample " + i + "!".repeat(i)).getBytes(StandardCharsets.UTF_8);
            Files.createDirectories(file.getParent());
            Files.write(file, content);
            var crc = new CRC32();
            crc.update(content);
            bytes += content.length;
            checksum += crc.getValue();
        }
    }

    @Test
    void whoFailsIsListedAndTheOthersGoOn() throws IOException {
        Path child = folder.resolve("child");
        var scripts = new LinkedHashMap<String, String>();
        scripts.put("good", loop(check(FILES, "$n"), turn(1)));
        scripts.put("crashing", "echo 'first words' >&2; echo 'ImportError: no luck' >&2; exit 3");
        scripts.put("hanging", loop("sleep 1000 & echo $! >" + child + "; wait", turn(1)));
        scripts.put("garbage", "read -r line; echo 'Hello, world'; sleep 1000");
        scripts.put(
                "endless",
                "read -r line; while :; do printf 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'; done");
        scripts.put("telling", "read -r line; printf '%s\\n' '{\"error\": \"the file\\nis not there\"}'");
        scripts.put("lazy", loop(check(FILES - 1, "$n"), turn(1)));
        scripts.put("unshuffled", loop(check(FILES, "7"), turn(1)));
        scripts.put("cheating", loop(check(FILES, "$n"), turn(2)));
        scripts.put("dying", loop(check(FILES, "$n"), "[ $n -gt 6 ] && exit 1; " + turn(1)));
        Standing.Table table = contest(scripts.keySet(), peer -> List.of("sh", "-c", scripts.get(peer.name())))
                .run(Job.RAW, data());

        assertThat(table.samples()).isEqualTo(FILES);
        assertThat(table.standings()).extracting(each -> each.peer().name()).containsExactly("good");
        Standing good = table.standings().getFirst();
        assertThat(good.turns()).hasSize(3);
        assertThat(good.tried()).containsOnlyKeys("slow", "quick");
        assertThat(good.samplesPerSecond()).isEqualTo(FILES / 0.5);
        assertThat(good.cpuMicros()).isEqualTo(1e6 * 0.25 / FILES);
        Map<String, String> reasons = table.absences().stream()
                .collect(Collectors.toMap(each -> each.peer().name(), Standing.Absence::reason));
        assertThat(reasons.get("crashing")).isEqualTo("ended with exit code 3: ImportError: no luck");
        assertThat(reasons.get("hanging")).isEqualTo("did not answer 'check' within 4 s");
        assertThat(reasons.get("garbage")).isEqualTo("its answer should be a JSON object but is 'Hello, world'");
        assertThat(reasons.get("endless")).startsWith("its answer should be a JSON object but is 'xxxxx");
        assertThat(reasons.get("telling")).isEqualTo("the file is not there");
        assertThat(reasons.get("lazy")).isEqualTo("an epoch should deliver samples 8 but delivered 7");
        assertThat(reasons.get("unshuffled")).isEqualTo("two epochs have the same order: they are not reshuffled");
        assertThat(reasons.get("cheating")).contains("2 epochs should deliver 16 samples");
        assertThat(reasons.get("dying")).startsWith("ended with exit code 1");
        assertThat(reasons).hasSize(scripts.size() - 1);
        // Ended with its session, though it is not the process that was started; it is gone when the system has taken
        // notice.
        long pid = Long.parseLong(Files.readString(child).strip());
        Optional<ProcessHandle> left = ProcessHandle.of(pid);
        if (left.isPresent()) {
            assertThat(left.get().onExit()).succeedsWithin(Duration.ofSeconds(20));
        }
    }

    @Test
    void aProgramThatIsNotThereIsListed() {
        Standing.Table table =
                contest(Set.of("missing"), _ -> List.of("/nowhere/python")).run(Job.RAW, data());
        assertThat(table.standings()).isEmpty();
        assertThat(table.absences().getFirst().reason())
                .contains("/nowhere/python")
                .contains("No such file");
    }

    @Test
    void anEnvironmentThatCannotBeMadeIsListedForEachOfItsPeers() {
        Catalog catalog = Catalog.read().only(List.of("h5py", "lmdb"));
        var settings = settings(folder.resolve("no-environment"));
        Standing.Table table = new Contest(catalog, settings, _ -> {}).run(Job.RAW, data());
        assertThat(table.absences())
                .hasSize(2)
                .allSatisfy(absence -> assertThat(absence.reason())
                        .contains("the environment light cannot be installed")
                        .contains("no-environment")
                        .contains("log: "));
    }

    @Test
    void aContestantInPythonReadsLooseFiles() throws Exception {
        assumeTrue(hasPython(), "there is no python3");
        Catalog catalog = Catalog.read().only(List.of("files"));
        Contest.Commands commands = (peer, _, scripts) -> Contest.python(Path.of("python3"), peer, scripts);
        Standing.Table table = new Contest(catalog, settings(null), _ -> {}, commands).run(Job.RAW, data());
        assertThat(table.absences()).isEmpty();
        assertThat(table.standings().getFirst().tried())
                .containsOnlyKeys("one thread", "2 threads", "8 threads", "32 threads");
    }

    @Test
    void thereMustBeFiles() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertThatThrownBy(() -> contest(Set.of(), _ -> List.of()).run(Job.RAW, empty))
                .isInstanceOf(StokerException.class)
                .hasMessage("[" + empty + "] has no files: there is nothing to read");
        assertThatThrownBy(() -> contest(Set.of(), _ -> List.of()).run(Job.PHOTOS, data()))
                .hasMessageContaining("has no files that end in .jpg or .jpeg");
    }

    @Test
    void unknownPeersAreRefusedWithThoseThatThereAre() {
        assertThatThrownBy(() -> Catalog.read().only(List.of("h5py", "nobody")))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("unknown peer 'nobody' in --only; available peers: stoker-feed, ");
    }

    private Path data() {
        return folder.resolve("data");
    }

    /** A contestant in a shell; n counts what it was asked. */
    private static String loop(String check, String turn) {
        return """
                n=0
                while read -r line; do
                    n=$((n + 1))
                    case $line in
                        *prepare*) echo '{"settings": ["slow", "quick"], "versions": {}, "seconds": 1}' ;;
                        *check*) %s ;;
                        *turn*) %s ;;
                    esac
                done
                """.formatted(check, turn);
    }

    private String check(int samples, String order) {
        return "echo '{\"samples\": %d, \"bytes\": %d, \"checksum\": %d, \"brightness\": 0, \"order\": '%s'}'"
                .formatted(samples, bytes, checksum, order);
    }

    private String turn(int epochs) {
        return "echo '{\"epochs\": %d, \"samples\": %d, \"bytes\": %d, \"seconds\": 0.5, \"cpu_seconds\": 0.25}'"
                .formatted(epochs, FILES, bytes);
    }

    private interface Command {
        List<String> of(Peer peer);
    }

    private Contest contest(Set<String> names, Command command) {
        var peers = new ArrayList<Peer>();
        names.forEach(name -> peers.add(new Peer(name, name, Set.of(Job.values()), "", "", "", List.of())));
        return new Contest(new Catalog(peers, Map.of()), settings(null), _ -> {}, (peer, _, _) -> command.of(peer));
    }

    private Contest.Settings settings(Path existing) {
        return new Contest.Settings(
                100, 4, 2, 3, 0, LIMIT, 1, existing, folder.resolve("environments"), folder.resolve("work"));
    }

    private static boolean hasPython() throws InterruptedException {
        try {
            return new ProcessBuilder("python3", "--version").start().waitFor(20, TimeUnit.SECONDS);
        } catch (IOException e) {
            return false;
        }
    }
}
