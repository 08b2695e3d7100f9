package dev.stoker.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.dataset.Dataset;
import dev.stoker.feed.Batch;
import dev.stoker.feed.BatchMemorySource;
import dev.stoker.feed.Feed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeedRequestTest {
    @TempDir
    private Path folder;

    static Map<String, Object> options(Path path) {
        var options = new HashMap<String, Object>();
        options.put("paths", List.of(path.toString()));
        options.put("batch", 4L);
        options.put("last_batch", "keep");
        options.put("order", "shuffled");
        options.put("seed", 7L);
        options.put("rank", 0L);
        options.put("world", 1L);
        options.put("tail", "even");
        options.put("cores", 2L);
        options.put("read", "auto");
        options.put("bad", "fail");
        return options;
    }

    private Path files() throws IOException {
        var random = new Random(1);
        Path files = Files.createDirectory(folder.resolve("files"));
        for (int i = 0; i < 50; i++) {
            var bytes = new byte[random.nextInt(100 * i + 1)];
            random.nextBytes(bytes);
            Files.write(files.resolve(i + ".bin"), bytes);
        }
        return files;
    }

    @Test
    void batchesInSharedMemoryAreThoseOfAnyFeed() throws IOException {
        Path files = files();
        var request = new FeedRequest(options(files));
        var blocks = new SharedBlocks();
        try (Dataset data = Dataset.open(request.paths());
                Feed shared = request.builder(List.of(data), blocks).start();
                Feed own = request.builder(List.of(data), BatchMemorySource.OWN).start()) {
            int largest = 0;
            for (int i = 0; i < 40; i++) {
                Batch batch = shared.next();
                Batch expected = own.next();
                assertThat(bytes(batch)).isEqualTo(bytes(expected));
                SharedBlocks.Block block = blocks.at(batch.memory());
                assertThat(block).isNotNull();
                assertThat(blocks.takeFreed()).doesNotContain(block.number());
                if (block.memory().file() >= 0) {
                    assertThat(block.number()).isGreaterThan(largest);
                    largest = block.number();
                    block.memory().closeFile();
                }
            }
        }
        // What the client had is told of when the feed gives it back.
        assertThat(blocks.takeFreed()).isNotEmpty();
    }

    private static byte[] bytes(Batch batch) {
        MemorySegment values = batch.values("data");
        return values.toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void wrongOptionsAreRefused() throws IOException {
        Path files = files();
        try (Dataset data = Dataset.open(List.of(files.toString()))) {
            assertRefused(data, "tail", "wrap", "unknown tail 'wrap'; valid are even, drop, ragged");
            assertRefused(data, "batch", "four", "option 'batch' should be a Long but is four");
            assertRefused(data, "batch", 1L << 40, "option 'batch' should be less than 2^31 but is 1099511627776");
            assertRefused(data, "seed", null, "option 'seed' is missing");
            assertRefused(data, "fields", List.of(3L), "option 'fields' should be a list of texts but has 3");
            assertRefused(
                    data, "pad", Map.of("data", "x"), "field 'data' should be padded to a number of bytes, not x");
            assertRefused(data, "decode", Map.of("size", 3L), "unknown option 'size'; valid are ");
        }
        assertThatThrownBy(() -> new FeedRequest(Map.of("colour", "red")))
                .isInstanceOf(StokerException.class)
                .hasMessageStartingWith("unknown option 'colour'; valid are ahead, bad, batch");
        assertThatThrownBy(() -> new FeedRequest(Map.of("paths", List.of())).paths())
                .hasMessage("no file is given; name at least one");
    }

    private void assertRefused(Dataset data, String name, Object value, String message) {
        Map<String, Object> options = options(folder);
        options.put(name, value);
        assertThatThrownBy(() -> new FeedRequest(options).builder(List.of(data), BatchMemorySource.OWN))
                .isInstanceOf(StokerException.class)
                .hasMessageStartingWith(message);
    }
}
