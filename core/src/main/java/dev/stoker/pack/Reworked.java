package dev.stoker.pack;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.memory.Checksum;
import dev.stoker.memory.Cores;
import dev.stoker.memory.GrowingBytes;
import dev.stoker.memory.MappedFile;
import dev.stoker.memory.OutputFile;
import dev.stoker.memory.SeenFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Samples after a {@link Rework}. All values are reworked before the plan is made, since it needs their sizes. Those that
 * changed lie in a spool file, which is deleted when the samples are closed; the others are read from where they are.
 * Bad ones are refused, or left out.
 */
public final class Reworked implements Samples {
    /** Marks a sample that is left out. */
    private static final long BAD = -1;

    private final Samples all;
    private final int data;
    private final Rework rework;
    private final Path spool;
    private final Arena arena = Arena.ofShared();
    /** For each sample of the source: where its new value lies in the spool, and its length; length 0 if it is unchanged. */
    private final MemorySegment places;

    private final AtomicLong spooled = new AtomicLong();
    private final GrowingBytes kept = new GrowingBytes();
    private @Nullable MappedFile values;

    private Reworked(Samples all, Rework rework, Path spool) {
        this.all = all;
        this.data = all.schema().place(Field.DATA);
        this.rework = rework;
        this.spool = spool;
        this.places = arena.allocate(Math.multiplyExact(Math.max(1, all.count()), 16), 8);
    }

    /** Reworks all samples, with all cores. On failure the samples are closed. */
    public static Samples of(Samples all, Rework rework, Path spool, BadFiles bad, Progress progress) {
        Reworked reworked;
        try {
            reworked = new Reworked(all, rework, spool);
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
        try {
            reworked.run(bad, progress);
        } catch (RuntimeException e) {
            reworked.close();
            throw e;
        }
        return reworked;
    }

    private void run(BadFiles bad, Progress progress) {
        delete();
        progress.begin(rework.phase(), all.count(), 0);
        try (OutputFile out = OutputFile.open(spool)) {
            Workers.run(Cores.allocated(), all.count(), () -> new Bench(out, bad, progress));
        }
        for (long i = 0; i < all.count(); i++) {
            if (place(i) != BAD) {
                kept.addLong(i);
            }
        }
        if (spooled.get() > 0) {
            values = MappedFile.open(spool);
        }
    }

    /** Where one thread works. */
    private final class Bench implements Workers.Worker {
        private final OutputFile out;
        private final BadFiles bad;
        private final Progress progress;
        private final Rework.Worker worker = rework.worker();
        private Arena buffers = Arena.ofConfined();
        private MemorySegment buffer = MemorySegment.NULL;

        Bench(OutputFile out, BadFiles bad, Progress progress) {
            this.out = out;
            this.bad = bad;
            this.progress = progress;
        }

        @Override
        public void work(long sample) {
            long length = all.length(sample, data);
            if (buffer.byteSize() < length) {
                buffers.close();
                buffers = Arena.ofConfined();
                buffer = buffers.allocate(length + length / 4);
            }
            MemorySegment value = buffer.asSlice(0, length);
            all.read(sample, data, 0, value);
            try {
                all.verify(sample, data, () -> Checksum.of(value));
                keep(sample, worker.apply(value));
            } catch (CorruptContainerException e) {
                leaveOut(sample, e);
            } catch (StokerException e) {
                leaveOut(sample, new StokerException("[" + all.describe(sample) + "] " + e.getMessage(), e));
            }
            progress.add(1, length);
        }

        private void leaveOut(long sample, StokerException why) {
            bad.found(all.describe(sample), why);
            places.setAtIndex(ValueLayout.JAVA_LONG, 2 * sample, BAD);
        }

        private void keep(long sample, byte @Nullable [] changed) {
            if (changed != null) {
                long at = spooled.getAndAdd(changed.length);
                out.write(at, MemorySegment.ofArray(changed));
                places.setAtIndex(ValueLayout.JAVA_LONG, 2 * sample, at);
                places.setAtIndex(ValueLayout.JAVA_LONG, 2 * sample + 1, changed.length);
            }
        }

        @Override
        public void close() {
            buffers.close();
        }
    }

    private long place(long source) {
        return places.getAtIndex(ValueLayout.JAVA_LONG, 2 * source);
    }

    private long newLength(long source) {
        return places.getAtIndex(ValueLayout.JAVA_LONG, 2 * source + 1);
    }

    @Override
    public Schema schema() {
        return all.schema();
    }

    @Override
    public List<Split> splits() {
        if (count() == all.count()) {
            return all.splits();
        }
        var splits = new ArrayList<Split>();
        long first = 0;
        for (Split split : all.splits()) {
            long end = first;
            while (end < count() && kept.getLong(end) < split.end()) {
                end++;
            }
            splits.add(new Split(split.name(), first, end - first));
            first = end;
        }
        return splits;
    }

    @Override
    public long count() {
        return kept.size() / Long.BYTES;
    }

    @Override
    public long length(long sample, int field) {
        long source = kept.getLong(sample);
        return field == data && newLength(source) > 0 ? newLength(source) : all.length(source, field);
    }

    @Override
    public long[] shape(long sample, int field) {
        return all.shape(kept.getLong(sample), field);
    }

    @Override
    public void read(long sample, int field, long from, MemorySegment to) {
        long source = kept.getLong(sample);
        if (field == data && newLength(source) > 0 && values != null) {
            MemorySegment.copy(values.bytes().asSlice(place(source), newLength(source)), from, to, 0, to.byteSize());
        } else {
            all.read(source, field, from, to);
        }
    }

    @Override
    public void verify(long sample, int field, IntSupplier checksum) {
        long source = kept.getLong(sample);
        // What was changed was compared before.
        if (field != data || newLength(source) == 0) {
            all.verify(source, field, checksum);
        }
    }

    @Override
    public String describe(long sample) {
        return all.describe(kept.getLong(sample));
    }

    @Override
    public String fingerprint() {
        MessageDigest digest = Fingerprints.begin();
        Fingerprints.add(digest, all.fingerprint());
        Fingerprints.add(digest, rework.settings());
        Fingerprints.add(digest, kept.bytes());
        return Fingerprints.end(digest);
    }

    @Override
    public List<SeenFile> seenFiles() {
        return all.seenFiles();
    }

    @Override
    public void close() {
        kept.close();
        arena.close();
        if (values != null) {
            values.close();
        }
        all.close();
        delete();
    }

    private void delete() {
        try {
            Files.deleteIfExists(spool);
        } catch (IOException e) {
            throw new StokerException(
                    "[" + spool + "] cannot be deleted: " + e.getMessage() + "; delete it by hand", e);
        }
    }
}
