package dev.stoker.feed;

import dev.stoker.TestSeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs through real files that are stopped, crashed and resumed in all ways; {@link FeedStory} tells one of them. */
class FeedStoriesTest {
    private static final int STORIES = Integer.getInteger("stoker.feed.stories", 200);

    @TempDir(factory = InMemory.class)
    private Path folder;

    @Test
    void everySampleIsDeliveredExactlyOnceInEveryStory() throws IOException {
        long seed = Long.getLong(
                "stoker.feed.seed", TestSeed.random("FeedStoriesTest").nextLong(1L << 40));
        FeedStory.Pool pool = FeedStory.Pool.make(Files.createDirectory(folder.resolve("pool")), 1);
        LongStream.range(seed, seed + STORIES).parallel().forEach(story -> tell(story, pool));
        System.out.println(STORIES + " stories of feeds, seeds from " + seed + ": every sample exactly once");
    }

    private void tell(long seed, FeedStory.Pool pool) {
        try (var story = new FeedStory(seed, pool, folder)) {
            story.tell();
        } catch (Exception | AssertionError e) {
            String again = "-Dtest=FeedStoriesTest -Dstoker.feed.stories=1 -Dstoker.feed.seed=" + seed;
            throw new AssertionError("story of seed " + seed + " (" + again + "): " + e.getMessage(), e);
        }
    }
}
