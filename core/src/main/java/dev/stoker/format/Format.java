package dev.stoker.format;

import dev.stoker.StokerException;
import dev.stoker.index.IndexBuilder;
import dev.stoker.memory.MappedFile;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A container format. Stateless; registered as a service ({@code META-INF/services/dev.stoker.format.Format}). Knows
 * {@code core} alone.
 */
public interface Format {
    /** The name that people type: {@code arrow}. */
    String name();

    /** Endings of file names, without the dot, the usual one first. Empty for a folder. */
    List<String> extensions();

    Set<Ability> abilities();

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
    default Plan plan(Samples samples, Options options) {
        throw new StokerException("format " + name() + " can be read but not written");
    }

    /** How the samples are to be compressed before they are planned; null if the options ask for no such thing. */
    default @Nullable BlockCut compress(Samples samples, Options options) {
        return null;
    }

    /** Places every byte of samples that were compressed as {@link #compress} said. */
    default Plan plan(Samples samples, Options options, StoredBlocks blocks) {
        throw new StokerException("format " + name() + " is not compressed by Stoker");
    }

    /**
     * Finds the place of every value in a container.
     *
     * @throws dev.stoker.CorruptContainerException if the file is damaged
     * @throws StokerException if it uses a feature that is not supported, which is named
     */
    default IndexBuilder derive(MappedFile file) {
        throw new StokerException("[" + file.path() + "] a container of format " + name() + " has its Index in itself");
    }

    /** Finds the samples of a container that is a folder and has no sidecar; as {@link #derive}. */
    default IndexBuilder deriveFolder(Path folder) {
        throw new StokerException("[" + folder + "] a container of format " + name() + " is no folder");
    }

    default boolean can(Ability ability) {
        return abilities().contains(ability);
    }
}
