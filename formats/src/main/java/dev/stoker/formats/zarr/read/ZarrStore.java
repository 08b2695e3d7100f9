package dev.stoker.formats.zarr.read;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.formats.shared.array.Origin;
import dev.stoker.formats.shared.limit.Budget;
import java.lang.foreign.MemorySegment;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** The files of a container, by their keys: paths with {@code /} between names. */
abstract class ZarrStore implements Origin {
    /** Bytes that a container may have when it is decoded, beyond its own. */
    private static final long DECODED_BYTES = DecodedLimit.MAX_BYTES;

    private static final long UNWRITTEN_CHUNKS = 1 << 16;
    /** Of sparse arrays much more may be missing than is there; in the index of a shard a missing chunk has as many bytes. */
    private static final long BYTES_PER_UNWRITTEN = 16;

    private final String name;
    private final Budget unwritten = new Budget(UNWRITTEN_CHUNKS, () -> storedBytes() / BYTES_PER_UNWRITTEN);

    /** @param name of the container, for messages */
    ZarrStore(String name) {
        this.name = name;
    }

    /**
     * A file, or a piece of one.
     *
     * @param file its path below the container's folder; empty if the container is one file
     * @param offset where it begins in that file
     */
    record Blob(MemorySegment bytes, String file, long offset) {
        /** Where it begins in the container's one file, or -1 in a folder. */
        long place() {
            return file.isEmpty() ? offset : -1;
        }

        Blob part(long from, long length) {
            return new Blob(bytes.asSlice(from, length), file, offset + from);
        }
    }

    /** A file, or null if it is not there. */
    abstract @Nullable Blob find(String key);

    /** A file of metadata; as {@link #find}, but its checksum is compared where it has one. */
    abstract @Nullable MemorySegment metadata(String key);

    /** The names of what lies in a folder; {@code ""} is the container itself. */
    abstract SortedSet<String> children(String folder);

    /** Bytes of all files together; of a folder those that were found by now. */
    @Override
    public abstract long storedBytes();

    /** Counts a chunk that was never written: metadata of a few bytes can claim any number, and each is looked for. */
    final void missing(ZarrArray array) {
        if (!unwritten.take(1)) {
            throw unsupported(
                    "with " + array.label() + " it has too many chunks that were never written, and each would"
                            + " take memory; store it in larger chunks");
        }
    }

    final String name() {
        return name;
    }

    @Override
    public final long size() {
        return storedBytes() + DECODED_BYTES;
    }

    @Override
    public final CorruptContainerException corrupt(long at, String reason) {
        return new CorruptContainerException(name, at, reason);
    }

    @Override
    public final StokerException unsupported(String sentence) {
        return new StokerException(name, sentence);
    }

    static String join(String folder, String key) {
        return folder.isEmpty() ? key : folder + "/" + key;
    }
}
