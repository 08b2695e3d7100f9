package dev.stoker.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.io.OutputFile;
import dev.stoker.job.Job;
import dev.stoker.job.JobRequest;
import dev.stoker.job.Team;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StateFileTest {
    @TempDir
    private Path folder;

    private static final List<Tensor> TENSORS = List.of(
            new Tensor("b", TensorType.U8, List.of(3L)),
            new Tensor("ä", TensorType.F32, List.of(2L, 2L)),
            new Tensor("number", TensorType.I64, List.of()),
            new Tensor("none", TensorType.BF16, List.of(0L, 7L)));

    private static void fill(StateWriter writer) {
        writer.put("b", 0, MemorySegment.ofArray(new byte[] {1, 2, 3}));
        writer.put("ä", 8, MemorySegment.ofArray(new float[] {3, 4}));
        writer.put("ä", 0, MemorySegment.ofArray(new float[] {1, 2}));
        writer.put("number", 0, MemorySegment.ofArray(new long[] {-7}));
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        Path path = folder.resolve("s.safetensors");
        StateWriter.write(path, TENSORS, Map.of("made", "here"), Team.ALONE, StateFileTest::fill);
        try (StateFile state = StateFile.open(path)) {
            assertThat(state.tensors()).containsExactlyInAnyOrderElementsOf(TENSORS);
            assertThat(state.metadata()).isEqualTo(Map.of("made", "here"));
            assertThat(state.values("ä").toArray(ValueLayout.JAVA_FLOAT_UNALIGNED))
                    .containsExactly(1, 2, 3, 4);
            assertThat(state.values("b").toArray(ValueLayout.JAVA_BYTE)).containsExactly(1, 2, 3);
            assertThat(state.values("number").get(ValueLayout.JAVA_LONG, 0)).isEqualTo(-7);
            assertThat(state.values("none").byteSize()).isZero();
            assertThatThrownBy(() -> state.tensor("c")).hasMessageContaining("has no tensor 'c'");
        }
        assertThat(Files.size(path) % 8).isEqualTo(3);
        assertThat(folder.toFile().list()).containsExactly("s.safetensors");
    }

    @Test
    void severalRanksFillOneFile() throws Exception {
        Path path = folder.resolve("s.safetensors");
        var tensors = List.of(new Tensor("x", TensorType.I32, List.of(3L, 5L)));
        try (var threads = Executors.newFixedThreadPool(3)) {
            var ranks = new ArrayList<Callable<Path>>();
            for (int rank = 0; rank < 3; rank++) {
                int row = rank;
                ranks.add(() -> {
                    Team team = Job.join(
                            new JobRequest(path, row, 3, "test", "a state", false, false, Duration.ofSeconds(60)));
                    int[] values = IntStream.range(5 * row, 5 * row + 5).toArray();
                    StateWriter.write(path, tensors, Map.of(), team, writer -> {
                        writer.put("x", 20L * row, MemorySegment.ofArray(values));
                    });
                    return path;
                });
            }
            for (var future : threads.invokeAll(ranks)) {
                assertThat(future.get()).isEqualTo(path);
            }
        }
        try (StateFile state = StateFile.open(path)) {
            assertThat(state.values("x").toArray(ValueLayout.JAVA_INT_UNALIGNED))
                    .isEqualTo(IntStream.range(0, 15).toArray());
        }
        assertThat(folder.toFile().list()).containsExactly("s.safetensors");
    }

    /** A rank of a killed try that is still writing when the state has been saved again. */
    @Test
    void aRankOfAnEarlierTryWritesIntoNoState() throws Exception {
        Path path = folder.resolve("s.safetensors");
        var tensors = List.of(new Tensor("x", TensorType.I32, List.of(4L)));
        var saved = new CountDownLatch(1);
        try (var threads = Executors.newFixedThreadPool(2)) {
            // Rank 0 of the first try dies while rank 1 writes: its file stays, without its lock.
            OutputFile dead = StateAttempt.begin(path);
            dead.resize(StateLayout.plan(tensors, Map.of()).size());
            dead.close();
            var writing = new CountDownLatch(1);
            var follower = new Follower(String.valueOf(dead.path().getFileName()));
            var survivor = threads.submit(() -> {
                StateWriter.write(path, tensors, Map.of(), follower, writer -> {
                    writer.put("x", 0, MemorySegment.ofArray(new int[] {1}));
                    writing.countDown();
                    await(saved);
                    writer.put("x", 4, MemorySegment.ofArray(new int[] {1, 1, 1}));
                });
                return path;
            });
            await(writing);
            StateWriter.write(path, tensors, Map.of(), Team.ALONE, writer -> {
                writer.put("x", 0, MemorySegment.ofArray(new int[] {2, 2, 2, 2}));
            });
            saved.countDown();
            assertThatThrownBy(survivor::get)
                    .hasMessageContaining("the save that rank 1 of 2 took part in has ended without it");
        }
        try (StateFile state = StateFile.open(path)) {
            assertThat(state.values("x").toArray(ValueLayout.JAVA_INT_UNALIGNED))
                    .containsExactly(2, 2, 2, 2);
        }
        assertThat(folder.toFile().list()).containsExactly("s.safetensors");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Rank 1 of a team whose rank 0 has told the name of its file, and was killed. */
    private record Follower(String told) implements Team {
        @Override
        public int rank() {
            return 1;
        }

        @Override
        public int world() {
            return 2;
        }

        @Override
        public void exchange(String what, String about, MemorySegment mine, Gift gift) {}

        @Override
        public void tell(Step step, String text) {}

        @Override
        public String awaitLeader(Step step) {
            return told;
        }

        @Override
        public List<String> awaitAll(Step step) {
            throw new IllegalStateException("rank 1 does not lead");
        }

        @Override
        public void requireGoing() {}

        @Override
        public <T> T run(Supplier<T> work) {
            return work.get();
        }
    }

    @Test
    void whatPythonLeftIsRefused() throws IOException {
        Files.createDirectory(folder.resolve(".s.safetensors.stoker-save"));
        assertThatThrownBy(() -> StateWriter.write(
                        folder.resolve("s.safetensors"), TENSORS, Map.of(), Team.ALONE, StateFileTest::fill))
                .hasMessageContaining(".s.safetensors.stoker-save] belongs to Python processes that save");
        assertThat(folder.toFile().list()).containsExactly(".s.safetensors.stoker-save");
    }

    @Test
    void whatFailsLeavesTheOldState() {
        Path path = folder.resolve("s.safetensors");
        StateWriter.write(path, TENSORS, Map.of(), Team.ALONE, StateFileTest::fill);
        assertThatThrownBy(() -> StateWriter.write(path, TENSORS, Map.of(), Team.ALONE, writer -> {
                    writer.put("b", 1, MemorySegment.ofArray(new byte[3]));
                }))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("tensor 'b' has 3 bytes, but 3 from byte 1 on were given");
        try (StateFile state = StateFile.open(path)) {
            assertThat(state.values("b").toArray(ValueLayout.JAVA_BYTE)).containsExactly(1, 2, 3);
        }
        assertThat(folder.toFile().list()).containsExactly("s.safetensors");
    }

    @Test
    void aNameIsThereOnce() {
        var twice = List.of(TENSORS.get(0), TENSORS.get(0));
        assertThatThrownBy(() -> StateWriter.write(folder.resolve("s"), twice, Map.of(), Team.ALONE, writer -> {}))
                .hasMessageContaining("tensor 'b' appears twice");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    []                                                                   | 0 | should be an object
                    {"a":1}                                                              | 0 | should have dtype, shape and data_offsets
                    {"__metadata__":{"a":1}}                                             | 0 | 'a' is none
                    {"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}                | 3 | cut off
                    {"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}                | 5 | appended
                    {"a":{"dtype":"U8","shape":[4],"data_offsets":[1,5]}}                | 5 | should begin here
                    {"a":{"dtype":"U8","shape":[4],"data_offsets":[0,5]}}                | 5 | should have 4 bytes
                    {"a":{"dtype":"F4","shape":[4],"data_offsets":[0,4]}}                | 4 | has the type F4; known are
                    {"a":{"dtype":"U8","shape":[-4],"data_offsets":[0,4]}}               | 4 | should be sizes
                    {"a":{"dtype":"U8","shape":[4.0],"data_offsets":[0,4]}}              | 4 | should be sizes
                    {"a":{"dtype":"U8","shape":4,"data_offsets":[0,4]}}                  | 4 | should be a list of sizes
                    {"a":{"dtype":"F64","shape":[4611686018427387000,9],"data_offsets":[0,4]}} | 4 | more than 2^63 bytes
                    {"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}} | 1 | each name once
                    {"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}} | 3 | do not overlap
                    """)
    void damagedFilesAreNamed(String header, int bytes, String reason) throws IOException {
        Path path = raw(header.getBytes(StandardCharsets.UTF_8).length, header, bytes);
        assertThatThrownBy(() -> StateFile.open(path))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining(reason)
                .hasMessageContaining("s.safetensors");
    }

    @ParameterizedTest
    @CsvSource({"3", "-1", "9223372036854775807", "100000001"})
    void lengthsThatDoNotFitAreRefused(long length) throws IOException {
        Path path = raw(length, "{}", 0);
        assertThatThrownBy(() -> StateFile.open(path)).hasMessageContaining("does not fit into 10 bytes");
    }

    private Path raw(long length, String header, int bytes) throws IOException {
        byte[] text = header.getBytes(StandardCharsets.UTF_8);
        ByteBuffer file = ByteBuffer.allocate(8 + text.length + bytes).order(ByteOrder.LITTLE_ENDIAN);
        file.putLong(length).put(text);
        return Files.write(folder.resolve("s.safetensors"), file.array());
    }
}
