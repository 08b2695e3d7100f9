package dev.stoker.pack;

import dev.stoker.StokerException;
import dev.stoker.format.Container;
import dev.stoker.index.Column;
import dev.stoker.index.Placement;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Looks for damage in a container: the Index by its own checksums, the frame by deriving the Index again and comparing,
 * every value by its checksum.
 */
public final class Verifier {
    /** More would not help a person; the count goes on. */
    private static final int MAX_LISTED = 1000;

    private static final long STEP = 64;

    private final Container container;
    private final int workers;
    private final Progress progress;
    private final List<Damage> damages = Collections.synchronizedList(new ArrayList<>());
    private final LongAdder damaged = new LongAdder();
    private final LongAdder checked = new LongAdder();
    private final LongAdder unchecked = new LongAdder();

    /** A value that is not what it should be; {@code sample} is -1 if the damage is not in a sample. */
    public record Damage(long sample, String field, String reason) {}

    /**
     * What was found.
     *
     * @param checked values that were compared
     * @param unchecked values that have no checksum and that nothing was given to compare with
     * @param damaged how many differ; {@code listed} names the first of them
     */
    public record Report(long samples, long checked, long unchecked, long damaged, List<Damage> listed) {
        public boolean isIntact() {
            return damaged == 0;
        }
    }

    private Verifier(Container container, int workers, Progress progress) {
        this.container = container;
        this.workers = workers;
        this.progress = progress;
    }

    /** Compares a container with its own checksums. */
    public static Report verify(Container container, int workers, Progress progress) {
        var verifier = new Verifier(container, workers, progress);
        verifier.checkIndex();
        verifier.checkFrame();
        verifier.eachSample(verifier::checkValues);
        return verifier.report();
    }

    /** Compares a container with the samples that it was packed from, value by value. */
    public static Report against(Container container, Samples source, int workers, Progress progress) {
        var verifier = new Verifier(container, workers, progress);
        if (source.count() != container.count()) {
            verifier.found(
                    -1, "", "the source has " + source.count() + " samples but the container has " + container.count());
        }
        int[] fields = verifier.matching(source);
        long common = Math.min(source.count(), container.count());
        verifier.eachSample(sample -> {
            if (sample < common) {
                verifier.compare(source, fields, sample);
            }
        });
        return verifier.report();
    }

    private Report report() {
        var listed = new ArrayList<>(damages);
        listed.sort((a, b) -> Long.compare(a.sample(), b.sample()));
        return new Report(container.count(), checked.sum(), unchecked.sum(), damaged.sum(), List.copyOf(listed));
    }

    private void found(long sample, String field, String reason) {
        damaged.increment();
        if (damages.size() < MAX_LISTED) {
            damages.add(new Damage(sample, field, reason));
        }
    }

    private void checkIndex() {
        try {
            container.index().verify();
        } catch (StokerException e) {
            found(-1, "", String.valueOf(e.getMessage()));
        }
    }

    /** A container with a sidecar tells a second time where its values lie; both must agree. */
    private void checkFrame() {
        if (container.index().isContainer() || Files.isDirectory(container.path())) {
            return;
        }
        progress.phase("checking the frame");
        try (Container again = Container.openAnew(container.path(), container.format())) {
            if (again.count() != container.count()) {
                found(
                        -1,
                        "",
                        "the container holds " + again.count() + " samples but its Index says " + container.count());
                return;
            }
            for (int f = 0; f < container.schema().size(); f++) {
                compareField(again, f);
            }
        } catch (StokerException e) {
            found(-1, "", String.valueOf(e.getMessage()));
        }
    }

    private void compareField(Container again, int field) {
        Field wanted = container.schema().fields().get(field);
        int place = again.schema().find(wanted.name());
        if (place < 0 || !again.schema().type(place).equals(wanted.type())) {
            return; // Held by the sidecar alone.
        }
        Column derived = again.column(place);
        Column kept = container.column(field);
        boolean samePlaces = again.index().placement(place).place() == Placement.Place.FILE
                && container.index().placement(field).place() == Placement.Place.FILE;
        for (long i = 0; i < container.count(); i++) {
            // Stored values have checksums of their own; here it matters that both mean the same bytes.
            boolean same = samePlaces
                    ? derived.length(i) == kept.length(i)
                            && (kept.length(i) == 0 || derived.offset(i) == kept.offset(i)) // nothing has no place
                    : again.value(i, place).mismatch(container.value(i, field)) < 0;
            if (!same) {
                found(i, wanted.name(), "the container's own frame and the Index disagree about this value");
            }
        }
    }

    private interface EachSample {
        void check(long sample);
    }

    private void eachSample(EachSample check) {
        progress.begin("verifying", container.count(), 0);
        long count = container.count();
        Workers.run(workers, (count + STEP - 1) / STEP, () -> piece -> {
            for (long i = piece * STEP; i < Math.min(count, (piece + 1) * STEP); i++) {
                check.check(i);
            }
            progress.add(Math.min(count, (piece + 1) * STEP) - piece * STEP, 0);
        });
    }

    private void checkValues(long sample) {
        for (int f = 0; f < container.schema().size(); f++) {
            if (!container.column(f).hasChecksums()) {
                // Values kept in the Index are covered by its sections' checksums.
                (container.index().placement(f).place() == Placement.Place.INDEX ? checked : unchecked).increment();
                continue;
            }
            try {
                checked.increment();
                if (!container.isIntact(sample, f)) {
                    found(
                            sample,
                            container.schema().fields().get(f).name(),
                            "its checksum does not fit: " + container.describe(sample));
                }
            } catch (StokerException e) {
                found(sample, container.schema().fields().get(f).name(), String.valueOf(e.getMessage()));
            }
        }
    }

    private int[] matching(Samples source) {
        var places = new int[container.schema().size()];
        for (int f = 0; f < places.length; f++) {
            places[f] = source.schema().find(container.schema().fields().get(f).name());
        }
        return places;
    }

    private void compare(Samples source, int[] fields, long sample) {
        for (int f = 0; f < fields.length; f++) {
            if (fields[f] < 0) {
                unchecked.increment();
                continue;
            }
            checked.increment();
            String name = container.schema().fields().get(f).name();
            try (var arena = Arena.ofConfined()) {
                MemorySegment expected = arena.allocate(Math.max(1, source.length(sample, fields[f])))
                        .asSlice(0, source.length(sample, fields[f]));
                source.read(sample, fields[f], 0, expected);
                if (container.value(sample, f).mismatch(expected) >= 0) {
                    found(sample, name, "it differs from the source's " + source.describe(sample));
                }
            } catch (StokerException e) {
                found(sample, name, String.valueOf(e.getMessage()));
            }
        }
    }
}
