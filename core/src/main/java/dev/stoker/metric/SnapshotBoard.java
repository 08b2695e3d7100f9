package dev.stoker.metric;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import dev.stoker.json.Json;
import dev.stoker.os.SharedMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * Where a process puts its newest snapshot for {@link SnapshotBoards}: memory without a name in any folder, which other
 * processes of the same user find by {@code /proc/PID/fd}. So nothing is left of it when the process ends, however that
 * ends.
 *
 * <pre>
 * 0  u32 length, 4  u32 CRC32C of the text, 8  the snapshot as JSON
 * </pre>
 */
public final class SnapshotBoard implements AutoCloseable {
    static final String NAME = "stoker-metrics";
    static final int HEADER_BYTES = 8;
    /** Takes memory only where something is written. */
    static final int CAPACITY = 2 << 20;

    private final SharedMemory memory;

    public SnapshotBoard() throws IOException {
        memory = new SharedMemory(NAME, CAPACITY);
    }

    /** Shows a snapshot in place of the one before. Who looks meanwhile sees by the checksum that it is half done. */
    public void show(Snapshot snapshot) {
        byte[] text = Json.write(snapshot.toJson()).getBytes(StandardCharsets.UTF_8);
        if (text.length > CAPACITY - HEADER_BYTES) {
            return; // a thousand meters fit; with more the last snapshot that did stays
        }
        MemorySegment bytes = memory.bytes();
        MemorySegment.copy(text, 0, bytes, JAVA_BYTE, HEADER_BYTES, text.length);
        bytes.set(LittleEndian.U32, 0, text.length);
        bytes.set(LittleEndian.U32, 4, Checksum.of(MemorySegment.ofArray(text)));
    }

    @Override
    public void close() {
        memory.close();
    }
}
