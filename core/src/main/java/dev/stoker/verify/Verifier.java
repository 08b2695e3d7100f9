package dev.stoker.verify;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.concurrent.WorkerPool;
import dev.stoker.container.Container;
import dev.stoker.format.ReadBuffers;
import dev.stoker.index.Placement;
import dev.stoker.io.ByteSource;
import dev.stoker.io.Checksum;
import dev.stoker.os.FileErrors;
import dev.stoker.remote.RemoteException;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Looks for damage in a container: the Index by its own checksums, every value by its checksum, the frame by deriving the
 * Index again and comparing. Nothing that goes through a checksum is read by a mapping, so storage that fails is damage of
 * the values that lie there, and the others are looked at.
 *
 * <pre>{@code
 * try (Container container = Container.openDamaged(path)) {
 *     Verifier.Report report = Verifier.verify(container, workers, new Progress());
 * }
 * }</pre>
 */
@PublicApi
public final class Verifier {
    private static final long STEP = 64;

    private final Container container;
    private final SampleSubset part;
    private final int workers;
    private final Progress progress;
    private final DamageLog damages;
    private final LongAdder checked = new LongAdder();
    private final LongAdder unchecked = new LongAdder();
    /** The field by which samples are counted as done. */
    private int counted;

    /** What is damaged. */
    public enum Kind {
        INDEX,
        /** A value's bytes. */
        VALUE,
        /** Head or tail of the container, by which its Index knows it; what lies there may be damaged values. */
        EDGE,
        /** What the container itself says about its samples. */
        FRAME
    }

    /** Something that is not what it should be; {@code sample} is -1 if the damage is not in a sample. */
    public record Damage(Kind kind, long sample, String field, String reason) {}

    /** Is told of each damage as it is found, by whatever thread finds it. */
    public interface Listener {
        void found(Damage damage);
    }

    /**
     * What was found.
     *
     * @param samples how many the container has
     * @param looked how many of them were looked at
     * @param checked values that were compared
     * @param unchecked values that have no checksum and that nothing was given to compare with
     * @param damaged how many differ; {@code listed} names the first of them
     */
    public record Report(long samples, long looked, long checked, long unchecked, long damaged, List<Damage> listed) {
        public boolean isIntact() {
            return damaged == 0;
        }
    }

    private Verifier(Container container, SampleSubset part, int workers, Progress progress, Listener listener) {
        this.container = container;
        this.part = part;
        this.workers = workers;
        this.progress = progress;
        this.damages = new DamageLog(listener);
    }

    /** Compares a container with its own checksums. */
    public static Report verify(Container container, int workers, Progress progress) {
        return verify(container, SampleSubset.all(container.count()), workers, progress);
    }

    /** Compares a part of the samples with their checksums, and the whole Index; the frame only if all are looked at. */
    public static Report verify(Container container, SampleSubset part, int workers, Progress progress) {
        return verify(container, part, workers, progress, damage -> {});
    }

    public static Report verify(
            Container container, SampleSubset part, int workers, Progress progress, Listener listener) {
        var verifier = new Verifier(container, part, workers, progress, listener);
        progress.begin("verifying", part.count(), 0);
        // Index and frame are work for one thread, which goes on beside the values. With one core it comes last, when
        // what it looks at has just been read.
        WorkerPool.run(Math.min(2, workers), 2, () -> piece -> {
            if (piece == 0) {
                verifier.orUnreadable(verifier::checkValues);
                progress.phase(part.isAll() ? "checking the frame" : "checking the Index");
            } else {
                verifier.orUnreadable(verifier::checkIndex);
                verifier.checkFrame();
            }
        });
        return verifier.report();
    }

    /** The Index is read by a mapping while values are found by it. */
    private void orUnreadable(Runnable check) {
        try {
            check.run();
        } catch (InternalError e) {
            found(
                    Kind.INDEX,
                    -1,
                    "",
                    String.valueOf(FileErrors.unreadable(container.path(), e).getMessage()));
        }
    }

    private void checkIndex() {
        container.index().damages().forEach(damage -> found(Kind.INDEX, -1, "", String.valueOf(damage.getMessage())));
    }

    private void checkFrame() {
        if (part.isAll()) {
            new FrameCheck(container, this).run();
        }
    }

    /** Compares a container with the samples that it was packed from, value by value. */
    public static Report against(Container container, Samples source, int workers, Progress progress) {
        var verifier = new Verifier(container, SampleSubset.all(container.count()), workers, progress, damage -> {});
        if (source.count() != container.count()) {
            verifier.found(
                    Kind.FRAME,
                    -1,
                    "",
                    "the source has " + source.count() + " samples but the container has " + container.count());
        }
        progress.begin("verifying", container.count(), 0);
        long common = Math.min(source.count(), container.count());
        for (int f = 0; f < container.schema().size(); f++) {
            int field = f;
            int other = source.schema().find(container.schema().fields().get(f).name());
            verifier.counted = f == 0 ? f : verifier.counted;
            if (other < 0) {
                verifier.unchecked.add(container.count());
            } else {
                verifier.eachSample(
                        common, (buffers, sample) -> verifier.compare(source, other, sample, field, buffers));
            }
        }
        return verifier.report();
    }

    private Report report() {
        return new Report(
                container.count(), part.count(), checked.sum(), unchecked.sum(), damages.count(), damages.listed());
    }

    void found(Kind kind, long sample, String field, String reason) {
        damages.add(new Damage(kind, sample, field, reason));
    }

    /** Fields that lie in the same bytes are read together; others, which are decoded or fetched, one after another. */
    private void checkValues() {
        Map<Placement.Place, List<Integer>> together = new EnumMap<>(Placement.Place.class);
        for (int f = container.schema().size() - 1; f >= 0; f--) {
            Placement placement = container.index().placement(f);
            if (container.column(f).hasChecksums()) {
                together.computeIfAbsent(placement.place(), place -> new ArrayList<>())
                        .add(f);
                counted = f;
            } else {
                // Values kept in the Index are covered by its sections' checksums.
                (placement.place() == Placement.Place.INDEX ? checked : unchecked).add(part.count());
            }
        }
        for (List<Integer> fields : together.values()) {
            try (ByteSource source = container.stored(fields.getFirst())) {
                if (source == null) {
                    fields.forEach(f -> eachSample(part.count(), (buffers, i) -> check(part.sample(i), f, buffers)));
                } else {
                    sweep(source, fields);
                }
            }
        }
    }

    private void sweep(ByteSource source, List<Integer> fields) {
        var placed = new ArrayList<PlacedValues>();
        for (int f : fields) {
            placed.add(PlacedValues.of(f, container.column(f), part, source.size(), new PlacedValues.Unplaced() {
                @Override
                public void empty(long sample) {
                    boolean fits = container.column(f).checksum(sample) == 0;
                    done(sample, f, 0, fits ? null : "it is empty, but its checksum is not that of an empty value");
                }

                @Override
                public void wrong(long sample, String reason) {
                    done(sample, f, 0, reason);
                }
            }));
        }
        var sweep = new ValueSweep(source, placed, part.isAll(), workers, new ValueSweep.Findings() {
            @Override
            public void wrong(long sample, int field, String reason) {
                foundValue(sample, field, reason);
            }

            @Override
            public void looked(int field, long values, long bytes) {
                checked.add(values);
                progress.add(field == counted ? values : 0, bytes);
            }
        });
        WorkerPool.run(workers, sweep.stretches(), sweep::worker);
    }

    private void done(long sample, int field, long bytes, @Nullable String reason) {
        checked.increment();
        if (reason != null) {
            foundValue(sample, field, reason);
        }
        progress.add(field == counted ? 1 : 0, bytes);
    }

    private void foundValue(long sample, int field, String reason) {
        found(Kind.VALUE, sample, container.schema().fields().get(field).name(), reason + describe(sample));
    }

    /** The sample's key, as far as that can be had. */
    private String describe(long sample) {
        try {
            return ": " + container.describe(sample);
        } catch (StokerException | InternalError e) {
            return "";
        }
    }

    private interface EachSample {
        void check(ReadBuffers buffers, long sample);
    }

    private void eachSample(long count, EachSample check) {
        WorkerPool.run(workers, Math.ceilDiv(count, STEP), () -> new WorkerPool.Worker() {
            private final ReadBuffers buffers = new ReadBuffers();

            @Override
            public void work(long piece) {
                for (long i = piece * STEP; i < Math.min(count, (piece + 1) * STEP); i++) {
                    check.check(buffers, i);
                }
            }

            @Override
            public void close() {
                buffers.close();
            }
        });
    }

    private void check(long sample, int field, ReadBuffers buffers) {
        try {
            long length = container.length(sample, field);
            var checksum = new Checksum();
            for (long at = 0; at < length; at += ReadBuffers.BYTES) {
                MemorySegment piece = buffers.one.asSlice(0, Math.min(ReadBuffers.BYTES, length - at));
                container.read(sample, field, at, piece);
                checksum.add(piece);
            }
            boolean fits = checksum.value() == container.column(field).checksum(sample);
            done(sample, field, length, fits ? null : "its checksum does not match");
        } catch (RemoteException e) {
            throw e; // It says nothing of this sample.
        } catch (StokerException e) {
            done(sample, field, 0, e.getMessage());
        } catch (InternalError e) {
            done(sample, field, 0, container.unreadable(sample, field, e).getMessage());
        }
    }

    private void compare(Samples source, int other, long sample, int field, ReadBuffers buffers) {
        String reason = null;
        long length = 0;
        try {
            length = source.length(sample, other);
            if (length != container.length(sample, field)) {
                reason = "it has " + container.length(sample, field) + " bytes, but " + length + " in the source";
            } else if (!buffers.areSame(
                    new ReadBuffers.Value(source, sample, other),
                    new ReadBuffers.Value(container, sample, field),
                    length)) {
                reason = "it differs from the source's " + source.describe(sample);
            }
        } catch (StokerException e) {
            reason = String.valueOf(e.getMessage());
        }
        done(sample, field, length, reason);
    }
}
