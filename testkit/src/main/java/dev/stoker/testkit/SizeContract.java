package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.container.Container;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lengths and offsets beyond what 31 and 32 bits hold. */
interface SizeContract extends Contract {
    long GIB = 1L << 30;
    long NEEDED = 9 * GIB;

    /** The length of the largest value that the format is tried with; 0 skips the test. */
    default long hugeBytes() {
        return 4 * GIB + 4_099;
    }

    @Test
    @Tag("huge")
    default void aValueOfMoreThanFourGibibytesComesBack() throws IOException {
        assumeTrue(hugeBytes() > 0, "the format holds no value of this size");
        Path folder = roomyFolder(workshop().folder());
        try {
            assertHugeValueComesBack(workshop().in(folder));
        } finally {
            Workshop.delete(folder);
        }
    }

    /** A folder in memory if it has the room, else one on disk, which is slower. */
    private static Path roomyFolder(Path onDisk) throws IOException {
        Path memory = Path.of("/dev/shm");
        if (Files.isWritable(memory) && free(memory) > NEEDED) {
            return Files.createTempDirectory(memory, "stoker-huge");
        }
        long free = free(onDisk);
        assumeTrue(free > NEEDED, () -> "needs " + NEEDED + " bytes of disk but only " + free + " are free");
        return Files.createTempDirectory(onDisk, "huge");
    }

    private static long free(Path folder) throws IOException {
        return Files.getFileStore(folder).getUsableSpace();
    }

    private void assertHugeValueComesBack(Workshop shop) {
        var samples = new HugeSamples(hugeBytes());
        try (Container container = shop.open(shop.pack(samples, "huge"))) {
            for (long sample = 0; sample < samples.count(); sample++) {
                int data = container.schema().place(Field.DATA);
                assertThat(container.length(sample, data)).isEqualTo(samples.length(sample, HugeSamples.DATA));
                assertSameEverywhere(container, data, samples, sample);
            }
        }
    }

    private static void assertSameEverywhere(Container container, int data, HugeSamples samples, long sample) {
        var found = MemorySegment.ofArray(new byte[4096]);
        var expected = MemorySegment.ofArray(new byte[4096]);
        long length = samples.length(sample, HugeSamples.DATA);
        // Around every step of the pattern: among these are the limits of 31 and of 32 bits.
        for (long at = 0; at < length; at += HugeSamples.STEP) {
            long from = Math.max(0, at - 2048);
            long part = Math.min(4096, length - from);
            container.read(sample, data, from, found.asSlice(0, part));
            samples.read(sample, HugeSamples.DATA, from, expected.asSlice(0, part));
            assertThat(found.asSlice(0, part).mismatch(expected.asSlice(0, part)))
                    .as("sample %d, byte %d", sample, from)
                    .isEqualTo(-1);
        }
    }

    /** A huge value between two small ones; made while it is read. */
    final class HugeSamples implements Samples {
        static final int DATA = 1;
        static final long STEP = 1 << 20;
        private static final String[] KEYS = {"a/before.bin", "a/huge.bin", "b/after.bin"};
        private final long hugeBytes;

        HugeSamples(long hugeBytes) {
            this.hugeBytes = hugeBytes;
        }

        @Override
        public Schema schema() {
            return new Schema(
                    List.of(new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, new FieldType.Bytes())));
        }

        @Override
        public long count() {
            return KEYS.length;
        }

        @Override
        public long length(long sample, int field) {
            if (field != DATA) {
                return KEYS[(int) sample].length();
            }
            return sample == 1 ? hugeBytes : 3;
        }

        /** Every step of the value is filled with a byte of its own. */
        @Override
        public void read(long sample, int field, long from, MemorySegment to) {
            if (field != DATA) {
                byte[] key = KEYS[(int) sample].getBytes(StandardCharsets.UTF_8);
                MemorySegment.copy(key, (int) from, to, ValueLayout.JAVA_BYTE, 0, (int) to.byteSize());
                return;
            }
            for (long done = 0; done < to.byteSize(); ) {
                long at = from + done;
                long part = Math.min(to.byteSize() - done, STEP - at % STEP);
                to.asSlice(done, part).fill((byte) (at / STEP * 31 + sample));
                done += part;
            }
        }

        @Override
        public String describe(long sample) {
            return KEYS[(int) sample];
        }

        @Override
        public String fingerprint() {
            return "huge " + hugeBytes;
        }

        @Override
        public void close() {}
    }
}
