package dev.stoker.bench;

import dev.stoker.StokerException;
import dev.stoker.format.Container;
import dev.stoker.format.Formats;
import dev.stoker.format.Options;
import dev.stoker.memory.Cores;
import dev.stoker.memory.Layouts;
import dev.stoker.pack.Packer;
import dev.stoker.pack.Progress;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
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
                throw new StokerException("[" + path + "] is empty");
            }
            container.value(container.count() / 2, container.schema().place(Field.DATA));
            return (System.nanoTime() - start) / 1e6;
        }
    }

    /** Writes a container of so many tiny samples. */
    public static void make(Path path, long samples) {
        var how = new Packer.Settings(Options.NONE, Cores.allocated(), false, true, false);
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
        public List<Split> splits() {
            return List.of();
        }

        @Override
        public long length(long sample, int field) {
            return 8;
        }

        @Override
        public long[] shape(long sample, int field) {
            throw new IllegalStateException("no field is an array");
        }

        @Override
        public void read(long sample, int field, long from, MemorySegment to) {
            to.set(Layouts.U64, 0, sample);
        }

        @Override
        public String describe(long sample) {
            return "sample " + sample;
        }

        @Override
        public String fingerprint() {
            return "numbered " + count;
        }

        @Override
        public void close() {}
    }
}
