package dev.stoker.pack;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What to pack.
 *
 * @param path a folder of files, or a container
 * @param manifest says which files of the folder, in which order, with which labels and further fields
 * @param labels whether samples without labels get those of their folders; a manifest's own labels always count
 * @param spool where a compressed container is decompressed to; deleted when the samples are closed
 * @param threads how many requests are under way at once while listing
 */
public record SourceRequest(
        Path path,
        @Nullable Path manifest,
        boolean labels,
        @Nullable Path spool,
        int threads,
        BadFiles badFiles) {
    /** The same with a spool of its own, so that several requests made with one do not share it. */
    SourceRequest withSpoolNumber(int number) {
        Path own = spool == null ? null : spool.resolveSibling(spool.getFileName() + "." + number);
        return new SourceRequest(path, manifest, labels, own, threads, badFiles);
    }
}
