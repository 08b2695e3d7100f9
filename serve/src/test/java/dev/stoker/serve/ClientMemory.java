package dev.stoker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The client's side of the shared memory, by the specification: it maps a block when that comes, and keeps it mapped after it
 * is freed, since it may hold a batch in it. Samples have one field: their number (u64), a checksum (u32) of the rest, the rest.
 */
final class ClientMemory implements AutoCloseable {
    private static final int HEADER_BYTES = 32;
    private static final int SAMPLE_HEADER = 12;

    private record Mapped(Arena arena, MemorySegment bytes) {}

    private final Map<Integer, Mapped> blocks = new HashMap<>();
    private final Set<Integer> gone = new HashSet<>();

    /** The bytes of a sample. */
    static byte[] sample(long number, int length) {
        var bytes = new byte[SAMPLE_HEADER + length];
        new SplittableRandom(number).nextBytes(bytes);
        MemorySegment whole = MemorySegment.ofArray(bytes);
        whole.set(LittleEndian.U64, 0, number);
        whole.set(LittleEndian.U32, 8, Checksum.of(whole.asSlice(SAMPLE_HEADER)));
        return bytes;
    }

    /**
     * Takes a BATCH; the numbers of its samples.
     *
     * @param file the open file that came with it; -1 if none did
     */
    List<Long> receive(byte[] payload, int file) throws IOException {
        ByteBuffer message = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
        int block = message.getInt(16);
        int freed = message.getInt(20);
        int freedAt = HEADER_BYTES + BatchMessage.FieldPlace.BYTES * message.getInt(24);
        for (int i = 0; i < freed; i++) {
            int number = message.getInt(freedAt + 4 * i);
            assertThat(blocks).as("only what came is freed").containsKey(number);
            assertThat(gone.add(number)).as("block %d is freed once", number).isTrue();
        }
        assertThat(gone).as("no batch lies in a block that was freed").doesNotContain(block);
        if (file >= 0) {
            assertThat(blocks).as("a block comes once").doesNotContainKey(block);
            blocks.put(block, map(file));
        }
        return read(payload);
    }

    private static Mapped map(int file) throws IOException {
        Arena arena = Arena.ofShared();
        try (var channel = FileChannel.open(Path.of("/proc/self/fd/" + file), StandardOpenOption.READ)) {
            return new Mapped(arena, channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena));
        }
    }

    /** The numbers of a batch's samples as they stand in memory now; each has the checksum that it should. */
    List<Long> read(byte[] payload) {
        ByteBuffer message = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
        MemorySegment memory = blocks.get(message.getInt(16)).bytes;
        long values = message.getLong(HEADER_BYTES);
        long offsets = message.getLong(HEADER_BYTES + 24);
        var numbers = new ArrayList<Long>();
        for (int i = 0; i < message.getInt(0); i++) {
            long from = memory.get(LittleEndian.U64, offsets + 8L * i);
            long end = memory.get(LittleEndian.U64, offsets + 8L * (i + 1));
            MemorySegment sample = memory.asSlice(values + from, end - from);
            assertThat(sample.get(LittleEndian.U32, 8)).isEqualTo(Checksum.of(sample.asSlice(SAMPLE_HEADER)));
            numbers.add(sample.get(LittleEndian.U64, 0));
        }
        return numbers;
    }

    @Override
    public void close() {
        blocks.values().forEach(mapped -> mapped.arena.close());
    }
}
