package dev.stoker.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.collect.CollectSealer;
import dev.stoker.collect.Collector;
import dev.stoker.container.Container;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.Field;
import dev.stoker.testkit.Await;
import dev.stoker.testkit.Faulty;
import dev.stoker.testkit.Python;
import dev.stoker.testkit.Seed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class CollectorTest {
    private static final int WORLD = 8;
    private static final int KILLED = 3;
    /** More with -Dstoker.collect.rounds, as checks/collect.sh gives. */
    private static final int ROUNDS = Integer.getInteger("stoker.collect.rounds", 4);

    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    @Test
    void killedProcessesLoseOnlyWhatTheyDidNotFlush() throws Exception {
        RandomGenerator random = seed.random();
        var arrows = new ArrayList<Path>();
        for (int round = 0; round < ROUNDS; round++) {
            boolean isArrow = round % 2 == 0;
            Path output =
                    Files.createDirectories(folder.resolve("round" + round)).resolve(isArrow ? "out.arrow" : "out.stk");
            boolean anyKilled = collectAndKill(output, random);
            if (anyKilled) {
                assertThatThrownBy(() -> CollectSealer.run(output, CollectSealer.Order.RANK, false))
                        .isInstanceOf(StokerException.class)
                        .hasMessageContaining("it was not closed")
                        .hasMessageContaining("--salvage");
            }
            CollectSealer.Order order = round % 4 == 3 ? CollectSealer.Order.INDEX : CollectSealer.Order.RANK;
            CollectSealer.Result result = CollectSealer.run(output, order, true);
            assertThat(result.missing().isEmpty()).isEqualTo(!anyKilled);
            check(output, order);
            if (isArrow) {
                arrows.add(output);
            }
        }
        readWithPyarrow(arrows);
    }

    /** Starts the processes, kills some of them; returns whether one was killed before its end. */
    private boolean collectAndKill(Path output, RandomGenerator random) throws Exception {
        int samples = 1_000;
        long roundSeed = random.nextLong(1 << 30);
        List<Process> processes = new ArrayList<>();
        for (int rank = 0; rank < WORLD; rank++) {
            processes.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-Xmx64m",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            CollectingProcess.class.getName(),
                            output.toString(),
                            String.valueOf(rank),
                            String.valueOf(WORLD),
                            String.valueOf(roundSeed),
                            String.valueOf(samples))
                    .redirectErrorStream(true)
                    .redirectOutput(output.resolveSibling("log-" + rank).toFile())
                    .start());
        }
        awaitFirst(output);
        int first = random.nextInt(WORLD);
        for (int i = 0; i < KILLED; i++) {
            Thread.sleep(random.nextInt(150)); // a kill may come at any time
            processes.get((first + i) % WORLD).destroyForcibly();
        }
        boolean anyKilled = false;
        for (int rank = 0; rank < WORLD; rank++) {
            Process process = processes.get(rank);
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            boolean isVictim = (rank - first + WORLD) % WORLD < KILLED;
            if (!isVictim) {
                assertThat(process.exitValue())
                        .as(Files.readString(output.resolveSibling("log-" + rank)))
                        .isZero();
            }
            anyKilled |= process.exitValue() != 0;
        }
        return anyKilled;
    }

    /** Killing is of interest only while something is being written. */
    private static void awaitFirst(Path output) throws Exception {
        Await.until(
                "a process flushed something",
                () -> IntStream.range(0, WORLD)
                        .anyMatch(rank -> Files.exists(output.resolveSibling("flushed-" + rank))));
    }

    /** Every rank's samples are there from its first to some later one, each once, in order, and no flushed one lacks. */
    private static void check(Path output, CollectSealer.Order order) throws IOException {
        var next = new int[WORLD];
        try (Container container = Container.open(output)) {
            long lastIndex = -1;
            int lastRank = 0;
            for (long i = 0; i < container.count(); i++) {
                String[] key = container.text(i, 0).split("/");
                int rank = Integer.parseInt(key[0]);
                int number = Integer.parseInt(key[1]);
                assertThat(number).isEqualTo(next[rank]++);
                if (order == CollectSealer.Order.RANK) {
                    assertThat(rank).isGreaterThanOrEqualTo(lastRank);
                    lastRank = rank;
                } else {
                    assertThat((long) number * WORLD + rank).isGreaterThan(lastIndex);
                    lastIndex = (long) number * WORLD + rank;
                }
                var crc = new CRC32();
                crc.update(container.value(i, 1).toArray(ValueLayout.JAVA_BYTE));
                assertThat(container.value(i, 2).get(LittleEndian.U64, 0)).isEqualTo(crc.getValue());
                assertThat(container.isIntact(i, 1)).isTrue();
            }
        }
        for (int rank = 0; rank < WORLD; rank++) {
            Path flushed = output.resolveSibling("flushed-" + rank);
            // A kill can come between the making of this file and its first letter.
            String told = Files.exists(flushed) ? Files.readString(flushed) : "";
            if (told.endsWith("\n")) {
                assertThat(next[rank]).as("rank " + rank).isGreaterThanOrEqualTo(Integer.parseInt(told.strip()));
            }
        }
    }

    private static void readWithPyarrow(List<Path> files) {
        String script = """
                import sys, zlib
                import pyarrow.ipc
                for path in sys.argv[1:]:
                    table = pyarrow.ipc.open_file(pyarrow.memory_map(path)).read_all()
                    table.validate(full=True)
                    last = {}
                    for key, data, crc in zip(*(table.column(c).to_pylist() for c in ("key", "data", "crc"))):
                        rank, number = map(int, key.split("/"))
                        assert number == last.get(rank, -1) + 1, (path, key)
                        assert rank == max(last, default=rank) or rank > max(last), (path, key)
                        assert zlib.crc32(data) == crc, (path, key)
                        last[rank] = number
                    print(path, table.num_rows)
                """;
        assertThat(Python.require("formats/src/test/python/arrow.txt").output(script, files.toArray()))
                .hasLineCount(files.size());
    }

    @Test
    void whatCannotBeIsRefused() {
        Path output = folder.resolve("out.stk");
        var settings = new Collector.Settings(64 << 10, Duration.ofSeconds(5), false);
        var random = new SplittableRandom(1);
        try (var collector = Collector.open(output, CollectingProcess.SCHEMA, 0, 2, settings)) {
            CollectingProcess.append(collector, random, 0, 0, 0);
            collector.flush();
            assertThatThrownBy(() -> Collector.open(output, CollectingProcess.SCHEMA, 0, 2, settings))
                    .hasMessageContaining("already has a rank 0; give each process its own rank");
            assertThatThrownBy(() -> Collector.open(output, CollectingProcess.SCHEMA, 1, 3, settings))
                    .hasMessageContaining("start all ranks with the same arguments");
            MemorySegment none = MemorySegment.ofArray(new byte[0]);
            MemorySegment large = MemorySegment.ofArray(new byte[70_000]);
            assertThatThrownBy(() -> collector.append(none, large, none, none))
                    .hasMessageContaining("field 'crc' (int64) has 8 bytes, not 0");
            MemorySegment number = MemorySegment.ofArray(new byte[8]);
            long[][] shapes = {{}, {}, {}, {0, 3}};
            assertThatThrownBy(() -> collector.append(-1, shapes, none, large, number, none))
                    .hasMessageContaining("collect with larger chunks");
            collector.append(-1, shapes, none, none, number, none);
        }
        assertThatThrownBy(() -> CollectSealer.run(output, CollectSealer.Order.RANK, false))
                .hasMessageContaining("rank 1: anything after its first 0 samples");
        assertThatThrownBy(() -> Collector.open(folder.resolve("out.zip"), CollectingProcess.SCHEMA, 0, 1))
                .hasMessageContaining("format zip can't be collected into");
        assertThat(CollectSealer.run(output, CollectSealer.Order.RANK, true).samples())
                .isEqualTo(2);
        try (Container container = Container.open(output)) {
            assertThat(container.shape(1, 3)).containsExactly(0, 3);
            assertThat(container.schema().place(Field.KEY)).isZero();
        }
        assertThatThrownBy(() -> Collector.open(output, CollectingProcess.SCHEMA, 0, 1))
                .hasMessageContaining("already exists");
    }

    /** One wrote the collecting head over what the other had just sealed. */
    @Test
    void twoWhoSealAtOnceDoNotMeet() throws Exception {
        for (int round = 0; round < 12; round++) {
            Path output = folder.resolve("both" + round + ".arrow");
            try (var collector = Collector.open(output, CollectingProcess.SCHEMA, 0, 1)) {
                for (int i = 0; i < 2000; i++) {
                    CollectingProcess.append(collector, new SplittableRandom(i), 0, i, i);
                }
            }
            int pause = round;
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var sealed = new ArrayList<Future<CollectSealer.Result>>();
                for (int n = 0; n < 2; n++) {
                    int late = n;
                    sealed.add(threads.submit(() -> {
                        Thread.sleep((long) late * pause); // so that they meet at different moments
                        return CollectSealer.run(output, CollectSealer.Order.RANK, false);
                    }));
                }
                int done = 0;
                for (Future<CollectSealer.Result> each : sealed) {
                    try {
                        done += each.get().samples() == 2000 ? 1 : 0;
                    } catch (ExecutionException e) {
                        assertThat(e).hasCauseInstanceOf(StokerException.class);
                    }
                }
                assertThat(done).isEqualTo(1);
            }
            try (Container container = Container.open(output)) {
                assertThat(container.count()).isEqualTo(2000);
            }
            assertThat(folder.resolve("both" + round + ".arrow.partial.sealing"))
                    .doesNotExist();
        }
    }

    @Test
    void sealingBeginsAnewAfterItWasInterrupted() throws Exception {
        for (String name : List.of("again.arrow", "again.stk")) {
            Path output = folder.resolve(name);
            Path partial = folder.resolve(name + ".partial");
            Path head = folder.resolve(name + ".partial.head");
            try (var collector = Collector.open(output, CollectingProcess.SCHEMA, 0, 1)) {
                CollectingProcess.append(collector, new SplittableRandom(1), 0, 0, 0);
            }
            byte[] collected = Files.readAllBytes(partial);
            CollectSealer.run(output, CollectSealer.Order.RANK, false);
            byte[] sealed = Files.readAllBytes(output);
            assertThat(head).doesNotExist();

            // As a kill leaves it that came when all was written, but before the file had its name.
            Files.move(output, partial);
            Files.write(head, Arrays.copyOf(collected, 1 << 16));
            assertThat(CollectSealer.run(output, CollectSealer.Order.RANK, false)
                            .samples())
                    .isEqualTo(1);
            assertThat(Files.readAllBytes(output)).isEqualTo(sealed);
            assertThat(head).doesNotExist();

            // And after that.
            Files.write(head, Arrays.copyOf(collected, 1 << 16));
            assertThat(CollectSealer.run(output, CollectSealer.Order.RANK, false)
                            .samples())
                    .isEqualTo(1);
            assertThat(head).doesNotExist();
        }
    }

    @Test
    void whoIsLateFindsTheFileSealed() {
        Path output = folder.resolve("late.arrow");
        var random = new SplittableRandom(1);
        Collector late = Collector.open(output, CollectingProcess.SCHEMA, 0, 1);
        CollectingProcess.append(late, random, 0, 0, 0);
        late.flush();
        assertThat(CollectSealer.run(output, CollectSealer.Order.RANK, true).samples())
                .isEqualTo(1);
        CollectingProcess.append(late, random, 0, 1, 1);
        assertThatThrownBy(late::close).hasMessageContaining("is being sealed");
        try (Container container = Container.open(output)) {
            assertThat(container.count()).isEqualTo(1);
        }
    }

    /** A write that was under way came after the sealing, into the frame of the sealed file. */
    @Test
    void aLateWriteDoesNotReachWhatWasSalvaged() throws Exception {
        for (String name : List.of("under-way.arrow", "under-way.stk")) {
            Path output = folder.resolve(name);
            Path partial = folder.resolve(name + ".partial");
            Collector rank = Collector.open(output, CollectingProcess.SCHEMA, 0, 1);
            CollectingProcess.append(rank, new SplittableRandom(1), 0, 0, 0);
            rank.flush();
            try (var late = FileChannel.open(partial, StandardOpenOption.WRITE)) {
                long end = Files.size(partial);
                CollectSealer.Result sealed = CollectSealer.run(output, CollectSealer.Order.RANK, true);
                assertThat(sealed.missing())
                        .containsExactly("rank 0: anything after its first 1 samples; it was not closed");
                byte[] before = Files.readAllBytes(output);
                assertThat(before.length).isGreaterThan((int) end);
                late.write(ByteBuffer.wrap(new byte[before.length]), 64 << 10);
                assertThat(Files.readAllBytes(output)).isEqualTo(before);
            }
            try (Container container = Container.open(output)) {
                assertThat(container.text(0, 0)).isEqualTo("0/0");
            }
            assertThatThrownBy(rank::close).hasMessageContaining("is being sealed, or was sealed");
            assertThat(folder.resolve(name + ".partial.salvaged")).doesNotExist();
            assertThat(partial).doesNotExist();
        }
    }

    @Test
    void whoeverIsInTheMiddleOfAWriteWhileTheFileIsSalvagedIsTold() throws Exception {
        Faulty.require();
        for (String name : List.of("held.arrow", "held.stk")) {
            Path output = folder.resolve(name);
            Path told = folder.resolve(name + "-told");
            // Writes: the head, the claim, the first batch, and the second, where it stands still.
            Faulty.Held held = Faulty.hold(
                    folder.resolve(name + ".partial"),
                    "pwrite64",
                    4,
                    folder.resolve(name + "-log"),
                    FlushingProcess.class,
                    output,
                    told);
            assertThat(told).hasContent("flushed 1\n");
            assertThat(CollectSealer.run(output, CollectSealer.Order.RANK, true).samples())
                    .isEqualTo(1);
            held.release();
            assertThat(Files.readString(told))
                    .startsWith("flushed 1\nrefused [")
                    .contains("was sealed or moved while rank 0 wrote to it: its last 1 samples may be missing");
            try (Container container = Container.open(output)) {
                assertThat(container.count()).isEqualTo(1);
                assertThat(container.text(0, 0)).isEqualTo("0/0");
            }
        }
    }

    /** Once all have said that they are done, sealing waits for nobody. */
    @Test
    void whoIsDoneMayFindTheFileSealed() throws Exception {
        Faulty.require();
        for (String name : List.of("done.arrow", "done.stk")) {
            Path output = folder.resolve(name);
            Path told = folder.resolve(name + "-told");
            Faulty.Held held = Faulty.hold(
                    folder.resolve(name + ".partial"),
                    "fsync",
                    1,
                    folder.resolve(name + "-log"),
                    FlushingProcess.class,
                    output,
                    told);
            assertThat(CollectSealer.run(output, CollectSealer.Order.RANK, false)
                            .samples())
                    .isEqualTo(2);
            held.release();
            assertThat(told).hasContent("flushed 1\nflushed 2\ndone\n");
        }
    }
}
