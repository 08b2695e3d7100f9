package dev.stoker.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.feed.InMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PositionFileTest {
    @TempDir(factory = InMemory.class)
    Path directory;

    private final OrderFingerprint identity = new OrderFingerprint(-7, 1000, "train.stk 12ab", "order 1 shuffled");

    private Path file() {
        return directory.resolve("state.json");
    }

    @Test
    void comesBackAsItWasSaved() throws IOException {
        Random random = new Random(3);
        for (int round = 0; round < 100; round++) {
            RangeSet.Builder beyond = new RangeSet.Builder();
            int regular = random.nextInt(4);
            for (long at = 1L + random.nextInt(100);
                    at < 1900;
                    at += regular > 0 ? regular + 1 : 2 + random.nextInt(50)) {
                beyond.add(at, at + 1);
            }
            Position position = new Position(identity, random.nextInt(5), random.nextInt(1000), beyond.build());
            PositionFile.save(file(), position);
            assertThat(PositionFile.load(file(), identity)).isEqualTo(position);
        }
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(file());
        }
    }

    @Test
    void isSmallAndReadable() throws IOException {
        RangeSet everySecond = RangeSet.of(
                java.util.stream.LongStream.range(0, 300).map(i -> 101 + 2 * i).toArray());
        PositionFile.save(file(), new Position(identity, 2, 100, everySecond));
        assertThat(file()).content().isEqualToIgnoringWhitespace("""
                {"format":"stoker position 1","dataset":"train.stk 12ab","order":"order 1 shuffled","size":1000,
                "seed":-7,"epoch":2,"cursor":100,"beyond":[[101,1,2,300]]}
                """);
    }

    @Test
    void refusesTheStateOfAnotherJobAndNamesBoth() {
        PositionFile.save(file(), Position.start(identity));
        assertThatThrownBy(() ->
                        PositionFile.load(file(), new OrderFingerprint(8, 1000, "train.stk 12ab", "order 1 shuffled")))
                .isInstanceOf(StokerException.class)
                .hasMessage(
                        "[" + file() + "] seed should be 8 but is -7, so it refers to different samples. Use the file"
                                + " of this job, or the options that it was written with");
        assertThatThrownBy(() ->
                        PositionFile.load(file(), new OrderFingerprint(-7, 1000, "val.stk 99", "order 1 shuffled")))
                .hasMessageContaining("dataset should be val.stk 99 but is train.stk 12ab");
        assertThatThrownBy(() ->
                        PositionFile.load(file(), new OrderFingerprint(-7, 999, "train.stk 12ab", "order 1 shuffled")))
                .hasMessageContaining("number of positions should be 999 but is 1000");
        assertThatThrownBy(() -> PositionFile.load(
                        file(), new OrderFingerprint(-7, 1000, "train.stk 12ab", "order 1 sequential")))
                .hasMessageContaining("order should be order 1 sequential but is order 1 shuffled");
    }

    @Test
    void refusesWhatIsNoPosition() throws IOException {
        String good = """
                {"format":"stoker position 1","dataset":"d","order":"o","size":10,"seed":1,"epoch":0,"cursor":3,"beyond":[]}
                """;
        Files.writeString(file(), good);
        assertThat(PositionFile.load(file()).cursor()).isEqualTo(3);
        for (String[] change : new String[][] {
            {"position 1", "position 2"},
            {"\"size\":10", "\"size\":0"},
            {"\"cursor\":3", "\"cursor\":11"},
            {"\"cursor\":3", "\"cursor\":-1"},
            {"\"cursor\":3", "\"cursor\":\"3\""},
            {"\"cursor\":3", "\"cursor\":3.0"},
            {"\"epoch\":0", "\"epoch\":-1"},
            {"\"epoch\":0,", ""},
            {"\"seed\":1", "\"sead\":1"},
            {"[]", "[[1]]"},
            {"[]", "[[4,0,1,1]]"},
            {"[]", "[[4,1,0,2]]"},
            {"[]", "[[4,1,2,9000000000000]]"},
            {"[]", "[[4,1,9223372036854775807,3]]"},
            {"[]", "[[-4,1,1,1]]"},
            {"{", "["},
            {good, ""},
        }) {
            Files.writeString(file(), good.replace(change[0], change[1]));
            assertThatThrownBy(() -> PositionFile.load(file()))
                    .as(String.join(" -> ", change))
                    .isInstanceOf(StokerException.class)
                    .hasMessageContaining(file().toString());
        }
        assertThatThrownBy(() -> PositionFile.load(directory.resolve("none"))).isInstanceOf(StokerException.class);
        assertThatThrownBy(() -> PositionFile.save(directory.resolve("no/where"), Position.start(identity)))
                .isInstanceOf(StokerException.class);
    }
}
