package dev.stoker.bench.advise;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the user says.
 *
 * @param data what the advice is about
 * @param output the container that would be packed, without its ending
 * @param memoryBytes what a batch may take; 0 if not said
 * @param sampleBytes what a sample takes of that; 0 if not said
 * @param nodeLocal the node's own disk; null if not said
 */
public record Wishes(Path data, Path output, long memoryBytes, long sampleBytes, @Nullable Path nodeLocal) {}
