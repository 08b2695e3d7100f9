package dev.stoker.repair;

import dev.stoker.CorruptContainerException;
import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.index.ContainerIdentity;
import dev.stoker.io.Checksum;
import dev.stoker.io.FilePatches;
import dev.stoker.io.OutputFile;
import dev.stoker.os.FileProbe;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import dev.stoker.verify.SampleSubset;
import dev.stoker.verify.Verifier;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Repairs a container in place from the samples that it was packed from; only bytes that differ are written.
 *
 * <p>Damaged values that are stored as they are get the source's bytes, if these have the checksum from packing. If
 * anything else is damaged, everything is compared with what {@linkplain Repack packing again} would write. Nothing is
 * written before all of it is known, and writing it again does no harm: a repair that was killed is repeated.
 */
@PublicApi
public final class Repair {
    private static final long PIECE_BYTES = 1 << 20;

    private final Path path;
    private final Samples source;
    private final FormatOptions options;
    private final int workers;
    private final Progress progress;
    /** The source's samples by their keys, where their numbers differ. */
    private @Nullable Map<ByteBuffer, Long> numbers;

    /**
     * What was found and done.
     *
     * @param before what was damaged; null if the container could not be opened
     * @param patches what was written, or would be
     * @param after what is damaged now; null if nothing was written
     * @param obstacle why something could not be repaired; null if nothing was in the way
     */
    public record Result(
            Verifier.@Nullable Report before,
            FilePatches patches,
            Verifier.@Nullable Report after,
            @Nullable String obstacle) {}

    /** @param options how the container was packed */
    public Repair(Path path, Samples source, FormatOptions options, int workers, Progress progress) {
        this.path = Formats.fileOf(path).toAbsolutePath().normalize();
        this.source = source;
        this.options = options;
        this.workers = workers;
        this.progress = progress;
    }

    /** What was found out about the container before anything is written. */
    private record Finding(Verifier.@Nullable Report report, FilePatches patches, boolean isComplete) {}

    /** @param write whether to write; else it is only found out what would be */
    public Result run(boolean write) {
        Finding values = repairValues();
        if (values.report() != null && values.report().isIntact()) {
            return new Result(values.report(), values.patches(), null, null);
        }
        FilePatches patches = values.patches();
        String obstacle = null;
        if (!values.isComplete()) {
            try {
                patches = new Repack(path, format(), source, options, workers, progress).compare();
            } catch (StokerException e) {
                obstacle = e.getMessage();
            }
        }
        if (!write || patches.list().isEmpty()) {
            return new Result(values.report(), patches, null, obstacle);
        }
        patches.apply();
        Verifier.Report after = verify();
        Path sidecar = Sidecar.beside(Formats.fileOf(path));
        if (after.isIntact() && FileProbe.isFile(sidecar)) {
            Sidecar.tie(sidecar, Formats.fileOf(path));
        }
        return new Result(values.report(), patches, after, obstacle);
    }

    private Verifier.Report verify() {
        try (Container container = Container.openDamaged(path)) {
            return Verifier.verify(container, workers, progress);
        } catch (CorruptContainerException e) {
            var damage = new Verifier.Damage(Verifier.Kind.INDEX, -1, "", String.valueOf(e.getMessage()));
            return new Verifier.Report(0, 0, 0, 0, 1, List.of(damage));
        }
    }

    /** The format that the Index says, or else the name. */
    private Format format() {
        try (Container container = Container.openDamaged(path)) {
            return Formats.named(container.format());
        } catch (StokerException e) {
            Format folder = FileProbe.isFolder(path) ? Formats.of(path, MemorySegment.NULL) : null;
            return folder == null ? Formats.forOutput(path) : folder;
        }
    }

    /** Gets the bytes of damaged values from the source. */
    private Finding repairValues() {
        var patches = new FilePatches();
        try (Container container = Container.openDamaged(path)) {
            List<Verifier.Damage> damages = Collections.synchronizedList(new ArrayList<>());
            Verifier.Report report =
                    Verifier.verify(container, SampleSubset.all(container.count()), workers, progress, damages::add);
            boolean isComplete = true; // the checksums prove it, even if the source has other samples, too
            boolean isEdge = false;
            for (Verifier.Damage damage : damages) {
                isEdge |= damage.kind() == Verifier.Kind.EDGE;
                isComplete &= damage.kind() == Verifier.Kind.EDGE
                        || damage.kind() == Verifier.Kind.VALUE && repair(container, damage, patches);
            }
            return new Finding(report, patches, isComplete && (!isEdge || fits(container, patches)));
        } catch (StokerException e) {
            return new Finding(null, patches, false);
        }
    }

    /** Whether head and tail are as the Index knows them when everything is written. */
    private static boolean fits(Container container, FilePatches patches) {
        try (OutputFile file = patches.file(container.path())) {
            return ContainerIdentity.of(file.size(), file::readFully)
                    .equals(container.index().identity());
        }
    }

    private boolean repair(Container container, Verifier.Damage damage, FilePatches patches) {
        int field = container.schema().place(damage.field());
        int other = source.schema().find(damage.field());
        try {
            long length = container.length(damage.sample(), field);
            long sample = inSource(container, damage.sample());
            return other >= 0
                    && sample >= 0
                    && source.length(sample, other) == length
                    && checksum(sample, other, length)
                            == container.column(field).checksum(damage.sample())
                    && copy(container, field, damage.sample(), sample, other, patches);
        } catch (StokerException e) {
            return false; // Its place is damaged, or the source cannot be read.
        }
    }

    private int checksum(long sample, int field, long length) {
        return Checksum.of((at, to) -> source.read(sample, field, at, to), 0, length);
    }

    /** The number that a sample has in the source; -1 if it has none. A source may have got or lost others since. */
    private long inSource(Container container, long sample) {
        int key = container.schema().find(Field.KEY);
        if (source.count() == container.count() || key < 0 || source.schema().find(Field.KEY) < 0) {
            return sample < source.count() ? sample : -1;
        }
        if (numbers == null) {
            numbers = new HashMap<>();
            for (long i = 0; i < source.count(); i++) {
                numbers.put(key(source, i), i);
            }
        }
        return numbers.getOrDefault(key(container, sample), -1L);
    }

    private static ByteBuffer key(Samples samples, long sample) {
        int field = samples.schema().find(Field.KEY);
        var bytes = new byte[Math.toIntExact(samples.length(sample, field))];
        samples.read(sample, field, 0, MemorySegment.ofArray(bytes));
        return ByteBuffer.wrap(bytes);
    }

    private boolean copy(Container container, int field, long sample, long from, int other, FilePatches patches) {
        long length = container.length(sample, field);
        for (long done = 0; done < length; ) {
            var place = container.place(sample, field, done);
            if (place == null) {
                return false;
            }
            try (OutputFile file = patches.file(place.file());
                    var arena = Arena.ofConfined()) {
                MemorySegment piece = arena.allocate(Math.min(PIECE_BYTES, place.length()));
                source.read(from, other, done, piece);
                file.write(place.offset(), piece);
                done += piece.byteSize();
            }
        }
        return length > 0;
    }
}
