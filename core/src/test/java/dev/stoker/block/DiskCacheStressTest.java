package dev.stoker.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.Schedule;
import dev.stoker.TestSeed;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several processes, each a cache of its own here, keep and find blocks in one folder, from which files vanish and in
 * which some are damaged.
 */
class DiskCacheStressTest {
    private static final int BYTES = 2000;
    private static final int BLOCKS = 100;
    private static final int PROCESSES = 4;
    private static final long LIMIT = 60L * BYTES;
    private static final int STEPS = 150;

    private final RandomGenerator seeds = TestSeed.random("DiskCacheStressTest");

    @TempDir
    Path folder;

    @Test
    void whatIsFoundIsRightAndTheFolderStaysSmall() throws Exception {
        for (int i = Schedule.rounds(4); i > 0; i--) {
            long seed = seeds.nextLong();
            try (var pool = Executors.newFixedThreadPool(PROCESSES)) {
                var all = new ArrayList<Future<?>>();
                for (int p = 0; p < PROCESSES; p++) {
                    var schedule = new Schedule(seed + p);
                    all.add(pool.submit(() -> work(schedule)));
                }
                for (Future<?> each : all) {
                    each.get();
                }
            } catch (Exception e) {
                throw new AssertionError("round with seed " + seed, e);
            }
            assertThat(files())
                    .as("seed %d", seed)
                    .noneMatch(file -> file.getName().endsWith(".partial"));
            // Each process looks after the size when it has written a sixteenth of it.
            long sum = Arrays.stream(files()).mapToLong(File::length).sum();
            assertThat(sum).as("seed %d", seed).isBetween(1L, LIMIT + PROCESSES * (LIMIT / 16 + BYTES));
        }
    }

    private void work(Schedule schedule) {
        DiskCache cache = Objects.requireNonNull(DiskCache.of(folder.resolve("cache") + ":" + LIMIT));
        for (int i = 0; i < STEPS; i++) {
            int number = schedule.pick(1 + schedule.pick(BLOCKS));
            schedule.step();
            MemorySegment found = cache.find("object", number, BYTES);
            if (found == null) {
                cache.keep("object", number, MemorySegment.ofArray(block(number)));
            } else {
                assertThat(found.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(block(number));
            }
            if (schedule.pick(10) == 0) {
                disturb(schedule);
            }
        }
    }

    private File[] files() {
        return Objects.requireNonNull(folder.resolve("cache").toFile().listFiles());
    }

    private void disturb(Schedule schedule) {
        File[] files = files();
        if (files.length == 0) {
            return;
        }
        Path file = files[schedule.pick(files.length)].toPath();
        try {
            if (schedule.pick(2) == 0) {
                Files.deleteIfExists(file);
            } else {
                Files.write(file, new byte[schedule.pick(BYTES)], StandardOpenOption.WRITE);
            }
        } catch (IOException e) {
            // Another one was faster.
        }
    }

    private static byte[] block(int number) {
        var bytes = new byte[BYTES];
        new SplittableRandom(number).nextBytes(bytes);
        return bytes;
    }
}
