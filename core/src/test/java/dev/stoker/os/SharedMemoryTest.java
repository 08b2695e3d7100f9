package dev.stoker.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

class SharedMemoryTest {
    private static final long SIZE = 16 << 10;

    private static Path file(SharedMemory memory) {
        return Path.of("/proc/self/fd/" + memory.file());
    }

    @Test
    void whoMapsTheFileSeesTheSameBytes() throws IOException {
        try (var memory = new SharedMemory(SIZE);
                var arena = Arena.ofConfined();
                var channel = FileChannel.open(file(memory), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment other = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), arena);
            assertThat(other.byteSize()).isEqualTo(SIZE);
            assertThat(other.mismatch(MemorySegment.ofArray(new byte[(int) SIZE])))
                    .isEqualTo(-1);
            memory.bytes().set(ValueLayout.JAVA_BYTE, 5000, (byte) 42);
            assertThat(other.get(ValueLayout.JAVA_BYTE, 5000)).isEqualTo((byte) 42);
            other.set(ValueLayout.JAVA_BYTE, SIZE - 1, (byte) 43);
            assertThat(memory.bytes().get(ValueLayout.JAVA_BYTE, SIZE - 1)).isEqualTo((byte) 43);
        }
    }

    @Test
    void itHasALabelAndNoName() throws IOException {
        try (var memory = new SharedMemory("stoker-batch", SIZE)) {
            assertThat(Files.readSymbolicLink(file(memory))).hasToString("/memfd:stoker-batch (deleted)");
        }
    }

    @Test
    void theMemoryOutlivesItsFile() throws IOException {
        try (var memory = new SharedMemory(SIZE)) {
            memory.bytes().fill((byte) 7);
            memory.closeFile();
            memory.closeFile();
            assertThat(memory.file()).isEqualTo(-1);
            assertThat(memory.bytes().get(ValueLayout.JAVA_BYTE, 100)).isEqualTo((byte) 7);
        }
    }

    @Test
    void closedMemoryIsNotTouched() throws IOException {
        var memory = new SharedMemory(SIZE);
        MemorySegment bytes = memory.bytes();
        memory.close();
        assertThatThrownBy(() -> bytes.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
    }
}
