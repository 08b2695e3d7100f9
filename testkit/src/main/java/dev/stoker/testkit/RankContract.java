package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.format.Capability;
import dev.stoker.job.Job;
import dev.stoker.job.JobRequest;
import dev.stoker.job.Team;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.write.Packer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many ranks write the bytes that one process writes; here each is a thread with a job of its own. */
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
interface RankContract extends Contract {
    @Test
    default void ranksWriteTheBytesOfOneProcess() throws Exception {
        Workshop shop = workshop();
        MemorySamples samples = several(shop);
        if (!shop.format().can(Capability.PARALLEL_FILL) || isCompressed()) {
            assertThatThrownBy(() -> packWithRanks(shop, shop.place("refused"), 2, false, _ -> samples))
                    .hasMessageContaining("cannot be written by 2 ranks");
            return;
        }
        Map<String, byte[]> alone = shop.files(shop.pack(samples, "alone"));
        for (int world : new int[] {2, 5}) {
            Path place = shop.place("by" + world);
            packWithRanks(shop, place, world, false, _ -> samples);
            assertSame(shop.files(place), alone);
            assertThat(Job.folder(place)).doesNotExist();
        }
    }

    @Test
    default void aFailedRankStopsAllAndAnotherNumberGoesOn() throws Exception {
        Workshop shop = workshop();
        if (!shop.format().can(Capability.PARALLEL_FILL) || isCompressed()) {
            return;
        }
        MemorySamples samples = several(shop);
        Map<String, byte[]> alone = shop.files(shop.pack(samples, "alone"));
        Path place = shop.place("failed");
        assertThatThrownBy(() -> packWithRanks(
                        shop, place, 3, false, rank -> rank == 2 ? StoppingSamples.killed(samples, 7) : samples))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("rank 2 (process ")
                .hasMessageContaining("gave up");
        assertThat(place).doesNotExist();
        assertThatThrownBy(() -> packWithRanks(shop, place, 2, false, _ -> samples))
                .hasMessageContaining("--resume");
        packWithRanks(shop, place, 2, true, _ -> samples);
        assertSame(shop.files(place), alone);
        assertThat(Job.folder(place)).doesNotExist();
    }

    private static void assertSame(Map<String, byte[]> actual, Map<String, byte[]> expected) {
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        actual.forEach((name, bytes) ->
                assertThat(Arrays.mismatch(bytes, expected.get(name))).as(name).isEqualTo(-1));
    }

    /** Enough for several runs. */
    private static MemorySamples several(Workshop shop) {
        var schema = new Schema(
                List.of(new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, new FieldType.Bytes())));
        return shop.randomSamples().next(schema, 2_600);
    }

    /** Throws what rank 0 threw. */
    private static void packWithRanks(
            Workshop shop, Path place, int world, boolean resume, IntFunction<Samples> samplesOf) throws Exception {
        try (var pool = Executors.newFixedThreadPool(world)) {
            List<Future<Packer.Result>> ranks = new ArrayList<>();
            for (int r = 0; r < world; r++) {
                int rank = r;
                ranks.add(pool.submit(() -> pack(shop, place, rank, world, resume, samplesOf.apply(rank))));
            }
            ExecutionException first = null;
            for (Future<Packer.Result> rank : ranks) {
                try {
                    rank.get();
                } catch (ExecutionException e) {
                    first = first == null ? e : first;
                }
            }
            if (first != null && first.getCause() instanceof Exception cause) {
                throw cause;
            }
        }
    }

    private static Packer.Result pack(Workshop shop, Path place, int rank, int world, boolean resume, Samples samples) {
        var request = new JobRequest(place, rank, world, "a test", "samples", resume, false, Duration.ofSeconds(30));
        Team team = Job.join(request);
        var settings = new Packer.Settings(shop.options(), 2, resume, false, false);
        return team.run(() -> new Packer(samples, shop.format(), place, settings, new Progress())
                .inTeam(team)
                .run());
    }
}
