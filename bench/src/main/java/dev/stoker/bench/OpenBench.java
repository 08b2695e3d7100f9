package dev.stoker.bench;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.io.LittleEndian;
import dev.stoker.os.AvailableCores;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.write.Packer;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

/** How long it takes from a path to the first value: it must not depend on the number of samples. */
public final class OpenBench {
    private OpenBench() {}

    /** Opens a container and reads the value in its middle; milliseconds, the first time in this process. */
    public static double milliseconds(Path path) {
        long start = System.nanoTime();
        try (Container container = Container.open(path)) {
            if (container.count() == 0) {
                throw new StokerException(path, "is empty");
            }
            container.value(container.count() / 2, container.schema().place(Field.DATA));
            return (System.nanoTime() - start) / 1e6;
        }
    }

    /** Writes a container of so many tiny samples. */
    public static void make(Path path, long samples) {
        var how = new Packer.Settings(FormatOptions.NONE, AvailableCores.allocated(), false, true, false);
        new Packer(new Numbered(samples), Formats.forOutput(path), path, how, new Progress()).run();
    }

    /** Samples whose data is their own number. */
    private record Numbered(long count) implements Samples {
        private static final Schema SCHEMA = new Schema(List.of(
                new Field(Field.DATA, new FieldType.Bytes()),
                new Field(Field.LABEL, new FieldType.Scalar(DType.INT64))));

        @Override
        public Schema schema() {
            return SCHEMA;
        }

        @Override
        public long length(long sample, int field) {
            return 8;
        }

        @Override
        public void read(long sample, int field, long from, MemorySegment to) {
            to.set(LittleEndian.U64, 0, sample);
        }

        @Override
        public String fingerprint() {
            return "numbered " + count;
        }

        @Override
        public void close() {}
    }
}
