package dev.stoker.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.Await;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a rank is told that cannot go on. Killed processes and other formats: {@code dev.stoker.formats.CollectorTest}. */
class CollectorTest {
    @TempDir
    Path folder;

    @Test
    void ofTwoWithOneRankOneGoesOn() throws Exception {
        Path output = folder.resolve("twice.stk");
        Collector first = Collector.open(output, Collected.SCHEMA, 0, 1);
        // The second looks before the first has written its claim.
        try (var file = FileChannel.open(folder.resolve("twice.stk.partial"), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(64), 64 << 10);
        }
        Collector second = Collector.open(output, Collected.SCHEMA, 0, 1);
        Collected.append(first, 0, 0);
        assertThatThrownBy(first::close).hasMessageContaining("another process writes as rank 0 too");
        Collected.append(second, 0, 0);
        second.abandon();
        assertThatThrownBy(() -> CollectSealer.run(output, CollectSealer.Order.RANK, false))
                .hasMessageContaining("it was not closed");
    }

    @Test
    void whoIsAbandonedKeepsWhatItWasGiven() {
        Path output = folder.resolve("abandoned.stk");
        Collector collector = Collector.open(output, Collected.SCHEMA, 0, 1);
        Collected.append(collector, 0, 0);
        collector.abandon();
        assertThatThrownBy(() -> CollectSealer.run(output, CollectSealer.Order.RANK, false))
                .hasMessageContaining("it was not closed");
        assertThat(CollectSealer.run(output, CollectSealer.Order.RANK, true).samples())
                .isEqualTo(1);
    }

    @Test
    void whatIsWrittenIntoAFileThatLostItsNameIsNotCalledWritten() throws Exception {
        Path output = folder.resolve("moved.stk");
        Path partial = folder.resolve("moved.stk.partial");
        Collector rank = Collector.open(output, Collected.SCHEMA, 0, 1);
        Path moved = Files.move(partial, folder.resolve("moved-away"));
        Collected.append(rank, 0, 0);
        assertThatThrownBy(rank::flush).hasMessageContaining("was sealed or moved");
        Collector other = Collector.open(output, Collected.SCHEMA, 0, 1);
        assertThatThrownBy(rank::flush).hasMessageContaining("or the file was replaced");
        other.abandon();
        Files.move(moved, partial, StandardCopyOption.REPLACE_EXISTING);
        rank.close();
        assertThat(CollectSealer.run(output, CollectSealer.Order.RANK, false).samples())
                .isEqualTo(1);
    }

    @Test
    void aRankCannotBeginWhileTheFileIsSealed() throws Exception {
        Path output = folder.resolve("begin.stk");
        Collector.open(output, Collected.SCHEMA, 0, 2).abandon();
        // As a salvage leaves it that was killed.
        try (var file = FileChannel.open(folder.resolve("begin.stk.partial"), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap("STKSEAL1".getBytes(StandardCharsets.US_ASCII)), 0);
        }
        Files.writeString(folder.resolve("begin.stk.partial.salvaged"), "half a copy");
        assertThatThrownBy(() -> Collector.open(output, Collected.SCHEMA, 1, 2))
                .hasMessageContaining("is being sealed, so rank 1 cannot begin");
        assertThat(CollectSealer.run(output, CollectSealer.Order.RANK, true).missing())
                .hasSize(2);
    }

    @Test
    void whatIsNotFlushedIsWrittenInTime() throws Exception {
        Path output = folder.resolve("timed.stk");
        var settings = new Collector.Settings(64 << 10, Duration.ofMillis(20), false);
        Collector collector = Collector.open(output, Collected.SCHEMA, 0, 1, settings);
        Collected.append(collector, 0, 0);
        Await.until("the sample is written", () -> collector.written() > 0);
        // As if the process had been killed now: it is in the file although nobody called flush() or close().
        assertThat(CollectSealer.run(output, CollectSealer.Order.RANK, true).samples())
                .isEqualTo(1);
        assertThatThrownBy(collector::close).hasMessageContaining("is being sealed");
    }
}
