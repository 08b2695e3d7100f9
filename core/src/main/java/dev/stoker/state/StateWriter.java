package dev.stoker.state;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.io.Checksum;
import dev.stoker.io.OutputFile;
import dev.stoker.io.PageEdges;
import dev.stoker.job.Job;
import dev.stoker.job.Team;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A safetensors file that all ranks of a team fill: planned from names, types and shapes, sealed by a rename.
 *
 * <pre>
 *   StateWriter.write(path, tensors, Map.of(), Team.ALONE, writer -&gt; writer.put("weight", 0, values));
 * </pre>
 */
@PublicApi
public final class StateWriter {
    private static final long COPY_BYTES = 1 << 20;

    private final StateLayout layout;
    private final OutputFile file;

    private StateWriter(StateLayout layout, OutputFile file) {
        this.layout = layout;
        this.file = file;
    }

    /**
     * Writes a file. What has its name already is replaced in one moment, when all is written; if anything fails it stays
     * as it is.
     *
     * @param tensors all of the file, the same for every rank
     * @param fill puts what this rank has; all ranks together put every byte
     */
    public static void write(
            Path output, List<Tensor> tensors, Map<String, String> metadata, Team team, Consumer<StateWriter> fill) {
        Path path = output.toAbsolutePath().normalize();
        StateLayout layout = StateLayout.plan(tensors, metadata);
        team.run(() -> {
            MemorySegment head = layout.head();
            String about = tensors.size() + " tensors, checksum %08x".formatted(Checksum.of(head));
            team.exchange("tensors", about, MemorySegment.ofArray(new byte[0]), (rank, bytes) -> {});
            if (team.leads()) {
                lead(path, layout, head, team, fill);
            } else {
                follow(path, layout, team, fill);
            }
            return path;
        });
    }

    private static void lead(Path path, StateLayout layout, MemorySegment head, Team team, Consumer<StateWriter> fill) {
        boolean sealed = false;
        Job.refusePythonSave(path);
        try (OutputFile file = StateAttempt.begin(path)) {
            try {
                file.resize(layout.size());
                file.write(0, head);
                team.tell(Team.Step.PREPARED, String.valueOf(file.path().getFileName()));
                fill.accept(new StateWriter(layout, file));
                for (String edges : team.awaitAll(Team.Step.FILLED)) {
                    StateAttempt.applyEdges(file.path(), edges);
                }
                file.sync();
                Files.move(file.path(), path, StandardCopyOption.ATOMIC_MOVE);
                sealed = true;
                OutputFile.syncFolderOf(path);
            } finally {
                if (!sealed) {
                    StateAttempt.delete(file.path());
                }
            }
        } catch (IOException e) {
            throw FileErrors.cannotWrite(path, e);
        }
        team.tell(Team.Step.SEALED, "");
    }

    private static void follow(Path path, StateLayout layout, Team team, Consumer<StateWriter> fill) {
        Path file = path.resolveSibling(team.awaitLeader(Team.Step.PREPARED));
        String left;
        try (PageEdges edges = StateAttempt.makeEdges(file, team.rank())) {
            try (OutputFile opened = edges.open(file, layout.size())) {
                fill.accept(new StateWriter(layout, opened));
                opened.sync();
            }
            left = edges.seal();
        }
        if (!FileProbe.exists(file)) {
            team.requireGoing();
            throw new StokerException(
                    path,
                    "the save that rank " + team.rank() + " of " + team.world()
                            + " took part in has ended without it: rank 0 was killed or gave up, or this process stood still for too"
                            + " long; end this process, and resume from the newest state");
        }
        team.tell(Team.Step.FILLED, left);
        team.awaitLeader(Team.Step.SEALED);
    }

    /** Writes bytes of a tensor, from one of them on. Any number of threads may do so. */
    public void put(String name, long from, MemorySegment values) {
        StateLayout.Place place = layout.places().get(name);
        if (place == null) {
            throw new StokerException(file.path(), "no tensor '" + name + "' was planned");
        }
        if (from < 0 || values.byteSize() > place.tensor().bytes() - from) {
            throw new StokerException(
                    file.path(),
                    "tensor '" + name + "' has "
                            + place.tensor().bytes() + " bytes, but " + values.byteSize() + " from byte " + from
                            + " on were given");
        }
        if (values.heapBase().filter(base -> !(base instanceof byte[])).isPresent()) {
            putCopied(place.begin() + from, values);
        } else {
            file.write(place.begin() + from, values);
        }
    }

    /** A channel takes no arrays of numbers. */
    private void putCopied(long at, MemorySegment values) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(Math.min(COPY_BYTES, values.byteSize()), Long.BYTES);
            for (long done = 0; done < values.byteSize(); done += COPY_BYTES) {
                long length = Math.min(COPY_BYTES, values.byteSize() - done);
                MemorySegment.copy(values, done, copy, 0, length);
                file.write(at + done, copy.asSlice(0, length));
            }
        }
    }
}
