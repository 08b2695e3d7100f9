package dev.stoker.cli.pack;

import dev.stoker.listing.SourceFilter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Which files of a folder are samples. */
public final class SelectionOptions {
    @Option(
            names = "--include",
            paramLabel = "GLOB",
            description = "Take only files of SRC that match, such as '*.jpg' or 'train/**'. Repeatable.")
    private List<String> include = new ArrayList<>();

    @Option(
            names = "--exclude",
            paramLabel = "GLOB",
            description = "Leave out files and folders of SRC that match. Repeatable.")
    private List<String> exclude = new ArrayList<>();

    @Option(
            names = "--hidden",
            description = "Take hidden files and folders, Thumbs.db, Index files and manifests in SRC, too.")
    private boolean hidden;

    /** A filter that has left out nothing yet. */
    public SourceFilter filter() {
        return SourceFilter.of(hidden, include, exclude);
    }

    /** The options in words that are the same for all ranks of a job. */
    String words() {
        return (hidden ? " --hidden" : "") + " --include " + include + " --exclude " + exclude;
    }
}
