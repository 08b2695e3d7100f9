package dev.stoker.bench.sweep;

import dev.stoker.StokerException;
import dev.stoker.format.Capability;
import dev.stoker.format.Format;
import dev.stoker.os.FilesystemSpace;
import dev.stoker.text.Sizes;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/** Whether the containers fit on the disk, so that a sweep is refused before it fills it. */
final class Room {
    /** What a format adds to a sample at most: headers, padding, its place in the Index. */
    private static final long SAMPLE_BYTES = 1200;

    private static final long CONTAINER_BYTES = 1 << 20;

    private Room() {}

    /** Refuses containers of these samples in each of the formats that would not fit. */
    static void require(Path folder, List<Format> formats, Collection<SweepSize> each) {
        FilesystemSpace disk = FilesystemSpace.of(folder);
        long bytes = 0;
        long files = 0;
        for (Format format : formats) {
            boolean isLoose = !format.can(Capability.SINGLE_FILE) && !format.can(Capability.IN_PLACE);
            for (SweepSize census : each) {
                long more = isLoose ? Math.max(SAMPLE_BYTES, disk.blockBytes()) : SAMPLE_BYTES;
                bytes += CONTAINER_BYTES + census.bytes() + more * census.samples();
                files += isLoose ? census.samples() : 1;
            }
        }
        if (bytes > disk.freeBytes()) {
            throw refused(folder, Sizes.human(bytes), Sizes.human(disk.freeBytes()), formats.size() * each.size());
        }
        if (files > disk.freeFiles()) {
            throw refused(folder, files + " files", disk.freeFiles() + " files", formats.size() * each.size());
        }
    }

    private static StokerException refused(Path folder, String needed, String free, int containers) {
        return new StokerException(
                folder,
                containers + " containers of these samples need " + needed
                        + " but the disk has " + free
                        + " free; use fewer samples (--num-samples), fewer formats (--format),"
                        + " or another folder (--data-root)");
    }
}
