package dev.stoker.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.OutputFile;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CollectHeaderTest {
    private static final Schema SCHEMA = new Schema(
            List.of(
                    new Field(Field.KEY, new FieldType.Text()),
                    new Field("name \"ü\"", new FieldType.Bytes()),
                    new Field("tags", new FieldType.Texts()),
                    new Field("score", new FieldType.Scalar(DType.FLOAT32)),
                    new Field("box", new FieldType.Tensor(DType.INT64, List.of(2L, 2L))),
                    new Field("mask", new FieldType.Array(DType.UINT8, 3))),
            List.of("cat", "dog"));

    private static final CollectHeader HEAD = CollectHeader.of("stk", 8, 4 << 20, SCHEMA, 1000);

    @TempDir
    private Path folder;

    private Path path = Path.of("");

    @BeforeEach
    void name() {
        path = folder.resolve("x.partial");
    }

    private static byte[] bytes() {
        return HEAD.toBytes().toArray(ValueLayout.JAVA_BYTE);
    }

    private void write(byte[] content) throws IOException {
        Files.write(path, content);
    }

    private void assertRefused(byte[] content, String reason) throws IOException {
        write(content);
        try (OutputFile file = OutputFile.openExisting(path)) {
            assertThatThrownBy(() -> CollectHeader.read(file))
                    .isInstanceOf(StokerException.class)
                    .hasMessage("[" + path + "] " + reason);
        }
    }

    @Test
    void whatWasWrittenIsRead() throws IOException {
        write(bytes());
        try (OutputFile file = OutputFile.openExisting(path)) {
            assertThat(CollectHeader.read(file)).isEqualTo(HEAD);
        }
    }

    @Test
    void theBytesAreAsSpecified() {
        MemorySegment bytes = HEAD.toBytes();
        assertThat(new String(bytes(), 0, 8, StandardCharsets.US_ASCII)).isEqualTo("STKCOLL1");
        int length = bytes.get(LittleEndian.U32, 8);
        assertThat(bytes.byteSize()).isEqualTo(12 + length + 4);
        assertThat(new String(bytes(), 12, length, StandardCharsets.UTF_8))
                .startsWith(
                        "{\"format\":\"stk\",\"world\":8,\"chunk\":4194304,\"start\":65536,\"fields\":[{\"name\":\"key\","
                                + "\"type\":\"text\"}")
                .endsWith("\"classes\":[\"cat\",\"dog\"]}");
        assertThat(bytes.get(LittleEndian.U32, 12 + length)).isEqualTo(HEAD.checksum());
    }

    @Test
    void thereIsRoomForTheContainersHead() {
        assertThat(HEAD.start()).isEqualTo(64 << 10);
        assertThat(CollectHeader.of("stk", 8, 4 << 20, SCHEMA, 64 << 10).start())
                .isEqualTo(64 << 10);
        assertThat(CollectHeader.of("stk", 8, 4 << 20, SCHEMA, (64 << 10) + 1).start())
                .isEqualTo(128 << 10);
        var many = new Schema(
                List.of(new Field(Field.KEY, new FieldType.Text())),
                IntStream.range(0, 10_000).mapToObj(i -> "class " + i).toList());
        CollectHeader large = CollectHeader.of("stk", 8, 4 << 20, many, 0);
        assertThat(large.toBytes().byteSize())
                .isLessThanOrEqualTo(large.start())
                .isGreaterThan(64 << 10);
    }

    @Test
    void aFileWithoutAHeadHasNone() throws IOException {
        for (int length : new int[] {0, 11, 100}) {
            write(new byte[length]);
            try (OutputFile file = OutputFile.openExisting(path)) {
                assertThat(CollectHeader.read(file)).isNull();
            }
        }
    }

    @Test
    void anotherFileIsRefused() throws IOException {
        String foreign =
                "should begin with STKCOLL1 but does not: it is not what a Collector wrote, or is sealed already";
        assertRefused("something else".getBytes(StandardCharsets.UTF_8), foreign);
        byte[] long0 = bytes();
        MemorySegment.ofArray(long0).set(LittleEndian.U32, 8, -1);
        assertRefused(long0, foreign);
        MemorySegment.ofArray(long0).set(LittleEndian.U32, 8, Integer.MAX_VALUE);
        assertRefused(long0, foreign);
    }

    @Test
    void aDamagedHeadIsRefused() throws IOException {
        String damaged = "its head does not have its checksum; the file is damaged";
        byte[] flipped = bytes();
        flipped[40] ^= 1;
        assertRefused(flipped, damaged);
        assertRefused(Arrays.copyOf(bytes(), bytes().length - 1), damaged);
        assertRefused(
                new CollectHeader("stk", 0, 4 << 20, 64 << 10, SCHEMA).toBytes().toArray(ValueLayout.JAVA_BYTE),
                damaged);
        assertRefused(
                new CollectHeader("stk", 1, 4095, 64 << 10, SCHEMA).toBytes().toArray(ValueLayout.JAVA_BYTE), damaged);
    }

    @Test
    void theMarkOfSealingLeavesTheRest() throws IOException {
        write(bytes());
        assertThat(CollectHeader.isCollecting(MemorySegment.ofArray(bytes()))).isTrue();
        try (OutputFile file = OutputFile.openExisting(path)) {
            assertThat(CollectHeader.isSealing(file)).isFalse();
            CollectHeader.markSealing(file);
            assertThat(CollectHeader.isSealing(file)).isTrue();
            assertThat(CollectHeader.read(file)).isEqualTo(HEAD);
        }
        byte[] marked = Files.readAllBytes(path);
        assertThat(CollectHeader.isCollecting(MemorySegment.ofArray(marked))).isFalse();
        assertThat(marked).isEqualTo(HEAD.toSealingBytes().toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void anotherJobHasAnotherChecksum() {
        assertThat(CollectHeader.of("stk", 9, 4 << 20, SCHEMA, 1000).checksum()).isNotEqualTo(HEAD.checksum());
        assertThat(CollectHeader.of("stk", 8, 8 << 20, SCHEMA, 1000).checksum()).isNotEqualTo(HEAD.checksum());
        assertThat(CollectHeader.of("stk", 8, 4 << 20, SCHEMA, 1000).checksum()).isEqualTo(HEAD.checksum());
    }
}
