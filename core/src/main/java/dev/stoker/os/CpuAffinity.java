package dev.stoker.os;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.stream.Stream;

/** On which cores this process runs. */
public final class CpuAffinity {
    /** Room for 8192 cores, the most that Linux has. */
    private static final int MASK_BYTES = 1024;

    private static final MemorySegment SCHED_SETAFFINITY = SystemCall.symbol("sched_setaffinity");

    private CpuAffinity() {}

    /** The most cores that a set may name. */
    public static int maxCores() {
        return 8 * MASK_BYTES;
    }

    /**
     * Lets this process run on the given cores: all its threads, and those to come. The system leaves out those that
     * the process may not use; it fails if that leaves none.
     */
    public static void set(BitSet cores) throws IOException {
        byte[] bits = cores.toByteArray();
        try (Arena arena = Arena.ofConfined();
                Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            MemorySegment mask = arena.allocate(MASK_BYTES, 8);
            MemorySegment.copy(MemorySegment.ofArray(bits), 0, mask, 0, bits.length);
            for (Path thread : threads.toList()) {
                long id = Long.parseLong(thread.getFileName().toString());
                try {
                    SystemCall.checked(SCHED_SETAFFINITY, id, MASK_BYTES, mask.address(), 0, 0);
                } catch (ErrnoException e) {
                    if (FileProbe.exists(thread)) { // and not a thread that has ended meanwhile
                        throw e;
                    }
                }
            }
        }
    }
}
