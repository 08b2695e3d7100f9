package dev.stoker.formats.hdf5.structure;

import dev.stoker.formats.shared.limit.Budget;

/**
 * What a file may unfold into; see {@link Budget}.
 *
 * @param metadata bytes of headers, trees and names that are read, each as often as that is done
 * @param chunks that datasets say they have, stored or not
 * @param unstored pieces of blocks of which nothing is stored, and each of which has a place in the Index
 */
public record Hdf5Limits(Budget metadata, Budget chunks, Budget unstored) {
    /** Room for many links to one header, also where the file is small. */
    private static final long METADATA_BYTES = 16 << 20;
    /** Headers of groups are read twice, and there may be nothing else. */
    private static final long METADATA_PER_BYTE = 4;

    private static final long UNWRITTEN = 1 << 16;
    /** Of sparse datasets much more may be missing than is there. */
    private static final long BYTES_PER_UNSTORED = 16;

    static Hdf5Limits of(long fileBytes) {
        return new Hdf5Limits(
                new Budget(METADATA_BYTES, () -> METADATA_PER_BYTE * fileBytes),
                // A chunk that is stored has a byte at least.
                new Budget(UNWRITTEN, () -> fileBytes),
                new Budget(UNWRITTEN, () -> fileBytes / BYTES_PER_UNSTORED));
    }
}
