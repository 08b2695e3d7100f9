package dev.stoker.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.feed.LastBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RankShareTest {
    private static Position position(long size, long cursor, RangeSet beyond) {
        return new Position(new OrderFingerprint(7, size, "data", "order"), 0, cursor, beyond);
    }

    private static List<Long> positions(RankShare share) {
        List<Long> positions = new ArrayList<>();
        for (long k = 0; k < share.count(); k++) {
            positions.add(share.position(k));
        }
        return positions;
    }

    @Test
    void dealsOnePositionInTurn() {
        Position start = position(10, 0, RangeSet.EMPTY);
        assertThat(positions(start.share(new Shard(0, 4), TailPolicy.RAGGED))).containsExactly(0L, 4L, 8L);
        assertThat(positions(start.share(new Shard(3, 4), TailPolicy.RAGGED))).containsExactly(3L, 7L);
        assertThat(positions(start.share(new Shard(3, 4), TailPolicy.EVEN))).containsExactly(3L, 7L, 1L);
        assertThat(positions(start.share(new Shard(0, 4), TailPolicy.DROP))).containsExactly(0L, 4L);
        assertThat(start.share(new Shard(3, 4), TailPolicy.EVEN).isPadding(2)).isTrue();
        assertThat(start.share(new Shard(1, 4), TailPolicy.EVEN).isPadding(2)).isFalse();
        assertThat(start.share(new Shard(1, 4), TailPolicy.DROP).owned()).isEqualTo(3);
    }

    @Test
    void paddingGoesRoundASmallDatasetAgainAndAgain() {
        Position start = position(2, 0, RangeSet.EMPTY);
        assertThat(positions(start.share(new Shard(6, 7), TailPolicy.EVEN))).containsExactly(0L);
        assertThat(positions(start.share(new Shard(6, 7), TailPolicy.DROP))).isEmpty();
    }

    @Test
    void anotherWorldGoesOnFromTheCursor() {
        Position start = position(10, 0, RangeSet.EMPTY);
        Position after = start.after(start.share(new Shard(2, 4), TailPolicy.EVEN), 1);
        assertThat(after.cursor()).isEqualTo(4);
        assertThat(positions(after.share(new Shard(1, 3), TailPolicy.EVEN))).containsExactly(5L, 8L);
        assertThat(after.after(after.share(new Shard(1, 3), TailPolicy.EVEN), 2))
                .isEqualTo(start.nextEpoch());
    }

    @Test
    void whatIsDeliveredBeyondTheCursorIsLeftOut() {
        Position crashed = position(10, 2, RangeSet.of(3, 5, 6, 9));
        assertThat(positions(crashed.share(new Shard(0, 2), TailPolicy.RAGGED))).containsExactly(2L, 7L);
        assertThat(positions(crashed.share(new Shard(1, 2), TailPolicy.RAGGED))).containsExactly(4L, 8L);
        Position later = crashed.after(crashed.share(new Shard(0, 2), TailPolicy.RAGGED), 1);
        assertThat(later.cursor()).isEqualTo(7);
        assertThat(later.beyond()).isEqualTo(RangeSet.of(9));
    }

    @Test
    void whatIsDeliveredOfTheNextEpochIsKept() {
        Position crashed = position(10, 9, RangeSet.of(10, 13));
        assertThat(crashed.nextEpoch()).isEqualTo(new Position(crashed.identity(), 1, 1, RangeSet.of(3)));
        assertThat(position(10, 9, RangeSet.of(9, 10, 12)))
                .isEqualTo(new Position(crashed.identity(), 1, 1, RangeSet.of(2)));
    }

    @Test
    void lastBatchIsOfTheRankNotOfTheTail() {
        assertThat(LastBatch.KEEP.delivered(10, 4)).isEqualTo(10);
        assertThat(LastBatch.DROP.delivered(10, 4)).isEqualTo(8);
    }

    @Test
    void streamsOfUnknownLengthAreSharedLikeIndices() {
        for (TailPolicy tail : TailPolicy.values()) {
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
                                : positions(position(length, 0, RangeSet.EMPTY).share(shard, tail));
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
