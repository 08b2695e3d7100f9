package dev.stoker.job;

import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.MappedFile;
import dev.stoker.io.OutputFile;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileOwnership;
import dev.stoker.os.FileProbe;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files of one try of a job. */
record JobFolder(Path path) {
    private static final String RANK = "rank-";
    private static final int LENGTH_BYTES = 8;
    private static final int FRAME_BYTES = LENGTH_BYTES + 4;

    /** All tries that are in a job folder; none if it is not there. */
    static List<JobFolder> tries(Path jobFolder) {
        var found = new ArrayList<JobFolder>();
        for (Path path : list(jobFolder, "*")) {
            found.add(new JobFolder(path));
        }
        return found;
    }

    private static List<Path> list(Path folder, String glob) {
        try {
            return FileProbe.in(folder, glob);
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        } catch (IOException e) {
            throw FileErrors.cannotRead(folder, e);
        }
    }

    /** What all ranks said last. */
    List<RankState> states() {
        var found = new ArrayList<RankState>();
        for (Path file : list(path, RANK + "*[0-9]")) {
            RankState state = state(file);
            if (state != null) {
                found.add(state);
            }
        }
        return found;
    }

    @Nullable
    RankState state(int rank) {
        return state(path.resolve(RANK + rank));
    }

    private static @Nullable RankState state(Path file) {
        try {
            return RankState.ofJson(file.toString(), Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            // A network filesystem loses a file for a moment when it is renamed elsewhere; silence is counted anyway.
            return null;
        }
    }

    void put(RankState state) throws IOException {
        Path file = path.resolve(RANK + state.rank());
        Path part = part(file, state.nonce());
        Files.write(part, state.toJson());
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Path part(Path file, String nonce) {
        return file.resolveSibling(file.getFileName() + "." + nonce + ".part");
    }

    /** Leaves bytes for all others, one part after another. */
    void give(String what, RankState from, MemorySegment... parts) {
        Path file = path.resolve(what + "-" + from.rank());
        Path unfinished = part(file, from.nonce());
        try (var out = OutputFile.open(unfinished)) {
            var checksum = new Checksum();
            long end = LENGTH_BYTES;
            for (MemorySegment part : parts) {
                out.write(end, part);
                checksum.add(part);
                end += part.byteSize();
            }
            MemorySegment number = MemorySegment.ofArray(new byte[LENGTH_BYTES]);
            number.set(LittleEndian.U64, 0, end - LENGTH_BYTES);
            out.write(0, number);
            number.set(LittleEndian.U32, 0, checksum.value());
            out.write(end, number.asSlice(0, 4));
        }
        try {
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(file, e);
        }
    }

    /** Takes what a rank left; false if it is not there yet, or not all of it. */
    boolean take(String what, int rank, Team.Gift gift) {
        Path file = path.resolve(what + "-" + rank);
        if (!FileProbe.exists(file)) {
            return false;
        }
        try (MappedFile mapped = MappedFile.open(file)) {
            long length = mapped.size() - FRAME_BYTES;
            if (length < 0 || mapped.bytes().get(LittleEndian.U64, 0) != length) {
                return false;
            }
            MemorySegment bytes = mapped.bytes().asSlice(LENGTH_BYTES, length);
            if (mapped.bytes().get(LittleEndian.U32, LENGTH_BYTES + length) != Checksum.of(bytes)) {
                return false;
            }
            gift.from(rank, bytes);
            return true;
        }
    }

    static void deleteTree(Path folder) throws IOException {
        if (!FileProbe.exists(folder)) {
            return;
        }
        FileOwnership.requireFolder(folder);
        try (Stream<Path> below = Files.walk(folder)) {
            for (Path path : below.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
