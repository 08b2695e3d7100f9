package dev.stoker.source;

import dev.stoker.PublicApi;
import dev.stoker.job.Team;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.listing.ListingContext;
import dev.stoker.listing.SourceFilter;
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
 * @param team the ranks that share the listing
 * @param output the container that is made from this, which may lie in the folder and is no part of it; null if none is
 * @param filter which files of a folder are samples
 */
@PublicApi
public record SourceRequest(
        Path path,
        @Nullable Path manifest,
        boolean labels,
        @Nullable Path spool,
        int threads,
        BadFilePolicy badFiles,
        Team team,
        @Nullable Path output,
        SourceFilter filter) {
    /** What a process on its own packs. */
    public SourceRequest(
            Path path,
            @Nullable Path manifest,
            boolean labels,
            @Nullable Path spool,
            int threads,
            BadFilePolicy badFiles) {
        this(path, manifest, labels, spool, threads, badFiles, Team.ALONE, null, SourceFilter.usual());
    }

    ListingContext context() {
        return new ListingContext(threads, badFiles, team, output, filter);
    }

    /** The same without this container, and what belongs to it, where it lies in the folder. */
    public SourceRequest without(Path container) {
        return new SourceRequest(path, manifest, labels, spool, threads, badFiles, team, container, filter);
    }

    /** The same with other files of the folder. */
    public SourceRequest filtered(SourceFilter other) {
        return new SourceRequest(path, manifest, labels, spool, threads, badFiles, team, output, other);
    }

    /** The same with a spool of its own, so that several requests made with one do not share it. */
    SourceRequest withSpoolNumber(int number) {
        Path own = spool == null ? null : spool.resolveSibling(spool.getFileName() + "." + number);
        return new SourceRequest(path, manifest, labels, own, threads, badFiles, team, output, filter);
    }
}
