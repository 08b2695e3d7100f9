package dev.stoker.transform;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.concurrent.WorkerPool;
import dev.stoker.io.Checksum;
import dev.stoker.io.Fingerprints;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.io.MappedFile;
import dev.stoker.io.OutputFile;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.os.AvailableCores;
import dev.stoker.sample.Field;
import dev.stoker.sample.FilterSamples;
import dev.stoker.sample.Samples;
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
 * Samples after a {@link ValueTransform}. All values are reworked before the plan is made, since it needs their sizes. Those that
 * changed lie in a spool file, which is deleted when the samples are closed; the others are read from where they are.
 * Bad ones are refused, or left out.
 */
public final class TransformedSamples extends FilterSamples {
    /** Marks a sample that is left out. */
    private static final long BAD = -1;

    private final int data;
    private final ValueTransform rework;
    private final Path spool;
    private final Arena arena = Arena.ofShared();
    /** For each sample of the source: where its new value lies in the spool, and its length; length 0 if it is unchanged. */
    private final MemorySegment places;

    private final AtomicLong spooled = new AtomicLong();
    private final GrowingBuffer kept = new GrowingBuffer();
    private @Nullable MappedFile values;

    private TransformedSamples(Samples all, ValueTransform rework, Path spool) {
        super(all);
        this.data = all.schema().place(Field.DATA);
        this.rework = rework;
        this.spool = spool;
        this.places = arena.allocate(Math.multiplyExact(Math.max(1, all.count()), 16), 8);
    }

    /** Reworks all samples, with all cores. On failure the samples are closed. */
    public static Samples of(Samples all, ValueTransform rework, Path spool, BadFilePolicy bad, Progress progress) {
        TransformedSamples reworked;
        try {
            reworked = new TransformedSamples(all, rework, spool);
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

    private void run(BadFilePolicy bad, Progress progress) {
        delete();
        progress.begin(rework.phase(), samples.count(), 0);
        try (OutputFile out = OutputFile.open(spool)) {
            WorkerPool.run(AvailableCores.allocated(), samples.count(), () -> new Bench(out, bad, progress));
        }
        for (long i = 0; i < samples.count(); i++) {
            if (place(i) != BAD) {
                kept.addLong(i);
            }
        }
        if (spooled.get() > 0) {
            values = MappedFile.open(spool);
        }
    }

    /** Where one thread works. */
    private final class Bench implements WorkerPool.Worker {
        private final OutputFile out;
        private final BadFilePolicy bad;
        private final Progress progress;
        private final ValueTransform.Worker worker = rework.worker();
        private Arena buffers = Arena.ofConfined();
        private MemorySegment buffer = MemorySegment.NULL;

        Bench(OutputFile out, BadFilePolicy bad, Progress progress) {
            this.out = out;
            this.bad = bad;
            this.progress = progress;
        }

        @Override
        public void work(long sample) {
            long length = samples.length(sample, data);
            if (buffer.byteSize() < length) {
                buffers.close();
                buffers = Arena.ofConfined();
                buffer = buffers.allocate(length + length / 4);
            }
            MemorySegment value = buffer.asSlice(0, length);
            samples.read(sample, data, 0, value);
            try {
                samples.verify(sample, data, () -> Checksum.of(value));
                keep(sample, worker.apply(value));
            } catch (CorruptContainerException e) {
                leaveOut(sample, e);
            } catch (StokerException e) {
                leaveOut(sample, new StokerException(samples.describe(sample), String.valueOf(e.getMessage()), e));
            }
            progress.add(1, length);
        }

        private void leaveOut(long sample, StokerException why) {
            bad.found(samples.describe(sample), why);
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
    public List<Split> splits() {
        if (count() == samples.count()) {
            return samples.splits();
        }
        var splits = new ArrayList<Split>();
        long first = 0;
        for (Split split : samples.splits()) {
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
    protected long source(long sample) {
        return kept.getLong(sample);
    }

    @Override
    public long length(long sample, int field) {
        long source = source(sample);
        return field == data && newLength(source) > 0 ? newLength(source) : samples.length(source, field);
    }

    @Override
    public void read(long sample, int field, long from, MemorySegment to) {
        long source = source(sample);
        if (field == data && newLength(source) > 0 && values != null) {
            MemorySegment.copy(values.bytes().asSlice(place(source), newLength(source)), from, to, 0, to.byteSize());
        } else {
            samples.read(source, field, from, to);
        }
    }

    @Override
    public void verify(long sample, int field, IntSupplier checksum) {
        long source = source(sample);
        // What was changed was compared before.
        if (field != data || newLength(source) == 0) {
            samples.verify(source, field, checksum);
        }
    }

    @Override
    public String fingerprint() {
        MessageDigest digest = Fingerprints.begin();
        Fingerprints.add(digest, samples.fingerprint());
        Fingerprints.add(digest, rework.settings());
        Fingerprints.add(digest, kept.bytes());
        return Fingerprints.end(digest);
    }

    @Override
    public void close() {
        kept.close();
        arena.close();
        if (values != null) {
            values.close();
        }
        super.close();
        delete();
    }

    private void delete() {
        try {
            Files.deleteIfExists(spool);
        } catch (IOException e) {
            throw new StokerException(spool, "cannot be deleted: " + e.getMessage() + "; delete it by hand", e);
        }
    }
}
