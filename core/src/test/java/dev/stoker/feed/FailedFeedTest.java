package dev.stoker.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.dataset.ChangedFileException;
import dev.stoker.dataset.Dataset;
import dev.stoker.order.Position;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a feed says after it has failed: the same again, until it is opened again. */
class FailedFeedTest {
    @TempDir
    private Path folder;

    @Test
    void aFailureStays() throws IOException {
        Path file = RandomSamples.pack(folder.resolve("a.stk"), 1, 30, 100);
        Path ledger = folder.resolve("ledger");
        try (var data = Dataset.open(file);
                var feed = Feed.of(data)
                        .batch(10)
                        .shuffle(7)
                        .epochs(2)
                        .ledger(ledger)
                        .start()) {
            feed.next();
            feed.next();
            Position reached = feed.position();
            Files.setLastModifiedTime(file, FileTime.fromMillis(0));
            for (int call = 0; call < 3; call++) {
                assertThatThrownBy(feed::next)
                        .isInstanceOf(ChangedFileException.class)
                        .hasMessageContaining(file.getFileName().toString());
                assertThat(feed.position()).isEqualTo(reached);
            }
        }
        assertThat(folder.resolve("ledger.e0")).doesNotExist(); // no second epoch was begun
    }
}
