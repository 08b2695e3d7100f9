package dev.stoker.fuzz;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.format.Archive;
import dev.stoker.io.Checksum;
import dev.stoker.sample.FieldType;

/** Everything that a reader may do with what it opened. */
final class Use {
    /** A hostile file may claim any number of samples; these are looked at. */
    private static final long SAMPLES = 50;

    /** And so many bytes of them. */
    private static final long BYTES = 4 << 20;

    private Use() {}

    static void all(Container container) {
        require(container.count() >= 0, "a negative number of samples");
        long count = Math.min(SAMPLES, container.count());
        long left = BYTES;
        for (int f = 0; f < container.schema().size(); f++) {
            container.column(f).dense();
            for (long i = 0; i < count && left > 0; i++) {
                left -= value(container, i, f);
            }
        }
        container.index().verify();
    }

    private static long value(Container container, long sample, int field) {
        try {
            long length = container.length(sample, field);
            require(length >= 0, "a negative length");
            if (length > BYTES) {
                return 0; // memory for it is the asker's
            }
            var value = container.value(sample, field);
            require(value.byteSize() == length, "a value that is not as long as it should be");
            Checksum.of(value);
            container.isIntact(sample, field);
            if (container.schema().type(field) instanceof FieldType.Array) {
                container.shape(sample, field);
            }
            return length + 1;
        } catch (StokerException e) {
            Fuzzer.requireFile(e); // one bad sample; the others are read on
            return 64;
        }
    }

    static void all(Archive archive, long bytes) {
        long count = Math.min(SAMPLES, archive.count());
        for (long i = 0; i < count; i++) {
            archive.name(i);
            long offset = archive.offset(i);
            long size = archive.size(i);
            require(offset >= 0 && size >= 0 && offset <= bytes - size, "a member outside the archive");
        }
    }

    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
