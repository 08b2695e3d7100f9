package dev.stoker.format;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.index.IndexBuilder;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A container format. Stateless; registered as a service ({@code META-INF/services/dev.stoker.format.Format}). Knows
 * {@code core} alone.
 */
@PublicApi
public interface Format {
    /** The name that people type: {@code arrow}. */
    String name();

    /** Endings of file names, without the dot, the usual one first. Empty for a folder. */
    List<String> extensions();

    Set<Capability> abilities();

    /** The settings that {@link #plan} understands, as {@code rows-per-batch}. */
    default Set<String> settings() {
        return Set.of();
    }

    /**
     * Whether a file is of this format, by its first bytes (at most {@value #HEAD_BYTES}).
     *
     * @param head empty for a folder
     */
    boolean matches(Path path, MemorySegment head);

    int HEAD_BYTES = 4096;

    /** Places every byte. Refuses samples that the format cannot hold, naming what and why. */
    Plan plan(Samples samples, FormatOptions options);

    /** How the samples are to be compressed before they are planned; null if the options ask for no such thing. */
    default @Nullable BlockPlan compress(Samples samples, FormatOptions options) {
        return null;
    }

    /** Places every byte of samples that were compressed as {@link #compress} said. */
    Plan plan(Samples samples, FormatOptions options, CompressedBlocks blocks);

    /** Whether these options ask for bytes that no plan can know, as compressed ones: then {@link #make} is called. */
    default boolean isMade(FormatOptions options) {
        return false;
    }

    /**
     * Makes a whole container where nothing is yet, by another program. Its samples are found by their keys later, and
     * compared with what was read: so every value of the field data is read once, from front to back, by one thread.
     *
     * @param done is told each sample that was read
     */
    default void make(Samples samples, FormatOptions options, Path to, LongConsumer done) {
        throw new IllegalStateException("containers of format " + name() + " are planned");
    }

    /**
     * Finds the place of every value in a container.
     *
     * @throws dev.stoker.CorruptContainerException if the file is damaged
     * @throws StokerException if it uses a feature that is not supported, which is named
     */
    default IndexBuilder derive(MappedFile file) {
        throw new StokerException(file.path(), "a container of format " + name() + " has its Index in itself");
    }

    /** Finds the samples of a container that is a folder and has no sidecar; as {@link #derive}. */
    default IndexBuilder deriveFolder(Path folder) {
        throw new StokerException(folder, "a container of format " + name() + " is not a folder");
    }

    /** Whether containers are archives of files, which can be extracted whatever samples they make. */
    default boolean isArchive() {
        return false;
    }

    /**
     * The files in an archive, for extracting them. Refuses what is neither a file nor a folder: symbolic links and
     * devices have no place in a private copy.
     */
    default Archive archive(MappedFile file) {
        throw new IllegalStateException("format " + name() + " is not an archive");
    }

    /**
     * The file that is the container, where others keep one of this format in a folder, as LMDB its {@code data.mdb};
     * null if the folder is no such container.
     */
    default @Nullable Path fileIn(Path folder) {
        return null;
    }

    /** Where a container of this name is written: there, or in a file of a folder of that name. */
    default Path fileFor(Path output, FormatOptions options) {
        return output;
    }

    /** How samples of this schema are collected, when their number and sizes are not known beforehand. */
    default CollectingLayout collecting(Schema schema) {
        throw new UsageException(
                "format " + name()
                        + " can't be collected into: its layout needs all sizes up front; collect into stk or arrow, then convert");
    }

    default boolean can(Capability ability) {
        return abilities().contains(ability);
    }
}
