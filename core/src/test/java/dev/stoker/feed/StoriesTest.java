package dev.stoker.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that are stopped, crashed and resumed in all ways; {@link Story} tells one of them. */
class StoriesTest {
    private static final int STORIES = Integer.getInteger("stoker.stories", 10_000);
    private static final long SEED = Long.getLong("stoker.seed", 1_000_000);

    @TempDir(factory = InMemory.class)
    Path directory;

    @Test
    void everyPositionIsDeliveredExactlyOnceInEveryStory() {
        long crashes = IntStream.range(0, STORIES)
                .parallel()
                .mapToLong(i -> tell(SEED + i))
                .sum();
        assertThat(crashes).as("the stories should have crashes").isGreaterThan(STORIES / 3);
    }

    private long tell(long seed) {
        try {
            return new Story(seed, directory).tell();
        } catch (Exception | AssertionError e) {
            String again = "-Dtest=StoriesTest -Dstoker.stories=1 -Dstoker.seed=" + seed;
            throw new AssertionError("story of seed " + seed + " (" + again + "): " + e.getMessage(), e);
        }
    }
}
