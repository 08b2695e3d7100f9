package dev.stoker.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShareTest {
    private static Position position(long size, long cursor, Ranges beyond) {
        return new Position(new Identity(7, size, "data", "order"), 0, cursor, beyond);
    }

    private static List<Long> positions(Share share) {
        List<Long> positions = new ArrayList<>();
        for (long k = 0; k < share.count(); k++) {
            positions.add(share.position(k));
        }
        return positions;
    }

    @Test
    void dealsOnePositionInTurn() {
        Position start = position(10, 0, Ranges.EMPTY);
        assertThat(positions(start.share(new Shard(0, 4), Tail.RAGGED))).containsExactly(0L, 4L, 8L);
        assertThat(positions(start.share(new Shard(3, 4), Tail.RAGGED))).containsExactly(3L, 7L);
        assertThat(positions(start.share(new Shard(3, 4), Tail.EVEN))).containsExactly(3L, 7L, 1L);
        assertThat(positions(start.share(new Shard(0, 4), Tail.DROP))).containsExactly(0L, 4L);
        assertThat(start.share(new Shard(3, 4), Tail.EVEN).isPadding(2)).isTrue();
        assertThat(start.share(new Shard(1, 4), Tail.EVEN).isPadding(2)).isFalse();
        assertThat(start.share(new Shard(1, 4), Tail.DROP).owned()).isEqualTo(3);
    }

    @Test
    void paddingGoesRoundASmallDatasetAgainAndAgain() {
        Position start = position(2, 0, Ranges.EMPTY);
        assertThat(positions(start.share(new Shard(6, 7), Tail.EVEN))).containsExactly(0L);
        assertThat(positions(start.share(new Shard(6, 7), Tail.DROP))).isEmpty();
    }

    @Test
    void anotherWorldGoesOnFromTheCursor() {
        Position start = position(10, 0, Ranges.EMPTY);
        Position after = start.after(start.share(new Shard(2, 4), Tail.EVEN), 1);
        assertThat(after.cursor()).isEqualTo(4);
        assertThat(positions(after.share(new Shard(1, 3), Tail.EVEN))).containsExactly(5L, 8L);
        assertThat(after.after(after.share(new Shard(1, 3), Tail.EVEN), 2)).isEqualTo(start.nextEpoch());
    }

    @Test
    void whatIsDeliveredBeyondTheCursorIsLeftOut() {
        Position crashed = position(10, 2, Ranges.of(3, 5, 6, 9));
        assertThat(positions(crashed.share(new Shard(0, 2), Tail.RAGGED))).containsExactly(2L, 7L);
        assertThat(positions(crashed.share(new Shard(1, 2), Tail.RAGGED))).containsExactly(4L, 8L);
        Position later = crashed.after(crashed.share(new Shard(0, 2), Tail.RAGGED), 1);
        assertThat(later.cursor()).isEqualTo(7);
        assertThat(later.beyond()).isEqualTo(Ranges.of(9));
    }

    @Test
    void whatIsDeliveredOfTheNextEpochIsKept() {
        Position crashed = position(10, 9, Ranges.of(10, 13));
        assertThat(crashed.nextEpoch()).isEqualTo(new Position(crashed.identity(), 1, 1, Ranges.of(3)));
        assertThat(position(10, 9, Ranges.of(9, 10, 12)))
                .isEqualTo(new Position(crashed.identity(), 1, 1, Ranges.of(2)));
    }

    @Test
    void lastBatchIsOfTheRankNotOfTheTail() {
        assertThat(LastBatch.KEEP.delivered(10, 4)).isEqualTo(10);
        assertThat(LastBatch.DROP.delivered(10, 4)).isEqualTo(8);
    }

    @Test
    void streamsOfUnknownLengthAreSharedLikeIndices() {
        for (Tail tail : Tail.values()) {
            for (int length = 0; length < 20; length++) {
                for (int world = 1; world < 8; world++) {
                    for (int rank = 0; rank < world; rank++) {
                        Shard shard = new Shard(rank, world);
                        List<Long> found = new ArrayList<>();
                        shard.share(
                                        IntStream.range(0, length)
                                                .mapToObj(i -> (long) i)
                                                .iterator(),
                                        tail)
                                .forEachRemaining(found::add);
                        List<Long> expected = length == 0
                                ? List.of()
                                : positions(position(length, 0, Ranges.EMPTY).share(shard, tail));
                        assertThat(found)
                                .as(shard + " of " + length + " " + tail)
                                .isEqualTo(expected);
                    }
                }
            }
        }
    }

    @Test
    void refusesARankOutsideOfTheWorld() {
        assertThatThrownBy(() -> new Shard(4, 4))
                .isInstanceOf(StokerException.class)
                .hasMessage("rank should be at least 0 and less than the world, 4, but is 4");
        assertThatThrownBy(() -> new Shard(-1, 4)).isInstanceOf(StokerException.class);
        assertThatThrownBy(() -> new Shard(0, 0)).hasMessage("world should be at least 1 but is 0");
    }
}
