package dev.stoker.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Jobs that are stopped, crashed and resumed in all ways; {@link Story} tells one of them. */
class StoriesTest {
    private static final int STORIES = Integer.getInteger("stoker.stories", 10_000);
    private static final long SEED = Long.getLong("stoker.seed", 1_000_000);

    @Test
    void everyPositionIsDeliveredExactlyOnceInEveryStory() throws IOException {
        // The stories write some 100,000 tiny ledgers; memory is enough for them.
        Path memory = Path.of("/dev/shm");
        Path directory = Files.isWritable(memory)
                ? Files.createTempDirectory(memory, "stoker-stories")
                : Files.createTempDirectory("stoker-stories");
        try {
            long crashes = IntStream.range(0, STORIES).parallel().mapToLong(i -> tell(SEED + i, directory)).sum();
            assertThat(crashes).as("the stories should have crashes").isGreaterThan(STORIES / 3);
        } finally {
            Files.delete(directory);
        }
    }

    private static long tell(long seed, Path directory) {
        try {
            return new Story(seed, directory).tell();
        } catch (Throwable e) {
            throw new AssertionError("story of seed " + seed + " (-Dstoker.stories=1 -Dstoker.seed=" + seed + "): " + e.getMessage(), e);
        }
    }
}
