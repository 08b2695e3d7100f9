package dev.stoker.bench.advise;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the user says.
 *
 * @param data what the advice is about
 * @param output the container that would be packed, without its ending
 * @param isThere whether that container is there already
 * @param memoryBytes what a batch may take; 0 if not said
 * @param sampleBytes what a sample takes of that; 0 if not said
 * @param nodeLocal the node's own disk; null if not said
 */
public record AdviseRequest(
        Path data,
        Path output,
        boolean isThere,
        long memoryBytes,
        long sampleBytes,
        @Nullable Path nodeLocal) {
    /** The container that would be packed. */
    public Path container() {
        return container(output);
    }

    /** The name with the ending of what is packed. */
    public static Path container(Path output) {
        return output.resolveSibling(output.getFileName() + "." + FormatAdvice.STK);
    }
}
