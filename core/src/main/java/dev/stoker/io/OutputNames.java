package dev.stoker.io;

import java.nio.file.Path;

/**
 * The names of what lies beside an output, {@code OUT}, while it is written. Everything is written under such a name and
 * renamed when it is complete, so nothing incomplete ever has the name that was asked for.
 *
 * <p>Other processes, killed runs and the Python package look for these names: a new one is added here, and a released
 * one never changes. The sidecar, which stays, is {@code dev.stoker.container.Sidecar}'s.
 */
public final class OutputNames {
    /** The ending of whatever is not complete. */
    public static final String PARTIAL = ".partial";

    private OutputNames() {}

    /** {@code OUT.partial}: a file or folder until it is complete. */
    public static Path partial(Path output) {
        return beside(output, PARTIAL);
    }

    /** {@code OUT.ID.partial}: the same, of one of several attempts. */
    public static Path partial(Path output, String id) {
        return beside(output, "." + id + PARTIAL);
    }

    /** {@code OUT.partial-ID}: the same of an Index, which several processes may derive at once. */
    public static Path partialIndex(Path index, String id) {
        return beside(index, PARTIAL + "-" + id);
    }

    /** Whether a file is {@link #partialIndex} of this one. */
    public static boolean isPartialIndex(Path index, Path file) {
        return String.valueOf(file.getFileName()).startsWith(index.getFileName() + PARTIAL + "-");
    }

    /** {@code OUT.partial.journal}: what rank 0 has filled. */
    public static Path journal(Path partial) {
        return beside(partial, ".journal");
    }

    /** {@code OUT.partial.journals}: the same of the other ranks, one file each. */
    public static Path journals(Path partial) {
        return beside(partial, ".journals");
    }

    /** {@code OUT.partial.edges}: what ranks other than 0 write into pages that they share. */
    public static Path edges(Path partial) {
        return beside(partial, ".edges");
    }

    /** {@code OUT.partial.edges-R}: the same of one rank, where there is no folder for them. */
    public static Path edges(Path partial, int rank) {
        return beside(partial, ".edges-" + rank);
    }

    /** Whether a file is {@link #edges(Path, int)} of any rank. */
    public static boolean isEdges(Path partial, Path file) {
        return String.valueOf(file.getFileName()).startsWith(partial.getFileName() + ".edges-");
    }

    /** {@code OUT.partial.notes}: what late runs need to know of the others. */
    public static Path notes(Path partial) {
        return beside(partial, ".notes");
    }

    /** {@code OUT.partial.blocks}: samples that were compressed before their places are known. */
    public static Path blocks(Path partial) {
        return beside(partial, ".blocks");
    }

    /** {@code OUT.repair.blocks}: the same while a container is repaired. */
    public static Path repairBlocks(Path container) {
        return beside(container, ".repair.blocks");
    }

    /** {@code OUT.partial.old}: what is replaced, until the new one has its name. */
    public static Path old(Path partial) {
        return beside(partial, ".old");
    }

    /** {@code OUT.spool}: a compressed source, decompressed. */
    public static Path spool(Path output) {
        return beside(output, ".spool");
    }

    /** {@code OUT.rework}: values that are changed before they are packed. */
    public static Path rework(Path output) {
        return beside(output, ".rework");
    }

    /** {@code OUT.partial.sealing}: the lock of the process that seals what was collected. */
    public static Path sealing(Path partial) {
        return beside(partial, ".sealing");
    }

    /** {@code OUT.partial.salvaged}: a copy of what is complete of a collected file. */
    public static Path salvaged(Path partial) {
        return beside(partial, ".salvaged");
    }

    /** {@code OUT.partial.head}: a copy of the head of a file that is being sealed. */
    public static Path head(Path partial) {
        return beside(partial, ".head");
    }

    /** {@code OUT.partial.head.new}: that copy until it is complete. */
    public static Path newHead(Path head) {
        return beside(head, ".new");
    }

    /** {@code .OUT.stoker-job}: where the ranks that write an output meet. */
    public static Path job(Path output) {
        return output.resolveSibling("." + output.getFileName() + ".stoker-job");
    }

    /** {@code .OUT.stoker-save}: where ranks of the Python package that save a state meet ({@code rank_group.py}). */
    public static Path save(Path output) {
        return output.resolveSibling("." + output.getFileName() + ".stoker-save");
    }

    private static Path beside(Path path, String ending) {
        return path.resolveSibling(path.getFileName() + ending);
    }
}
