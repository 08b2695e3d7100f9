package dev.stoker.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.order.Position;
import dev.stoker.order.RangeSet;
import dev.stoker.order.Shard;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A ledger that finds no room, here by the system's limit for a file, has the batches that were delivered and no others. */
class FullLedgerTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void hasWholeBatchesAndResumesAfterThem(int blocks) throws Exception {
        Path file = folder.resolve("ledger");
        List<String> said = runWithLimit(blocks, file);
        assertThat(said).hasSize(2);
        assertThat(said.getFirst()).isEqualTo("[" + file + "] cannot be written: File too large");
        int delivered = Integer.parseInt(said.getLast());
        assertThat(delivered).isPositive().isLessThan(FullLedger.BATCHES);
        assertThat(LedgerCheck.of(List.of(file)).state())
                .isEqualTo(new Position(FullLedger.IDENTITY, 0, (long) delivered * FullLedger.BATCH, RangeSet.EMPTY));
        try (Ledger ledger = Ledger.open(file, FullLedger.IDENTITY, Shard.WHOLE)) {
            ledger.epoch(0);
            for (int batch = delivered; batch < FullLedger.BATCHES; batch++) {
                FullLedger.record(ledger, batch);
            }
        }
        assertThat(LedgerCheck.of(List.of(file)).reports()).hasSize(1).allMatch(EpochReport::isExactlyOnce);
    }

    private static List<String> runWithLimit(int blocks, Path ledger) throws Exception {
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -f " + blocks + "; exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:-UsePerfData", // a file of its own, which would be limited too
                        "-cp",
                        System.getProperty("java.class.path"),
                        FullLedger.class.getName(),
                        ledger.toString())
                .redirectErrorStream(true)
                .start();
        List<String> said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .strip()
                .lines()
                .toList();
        assertThat(process.waitFor()).as(said.toString()).isZero();
        return said;
    }
}
