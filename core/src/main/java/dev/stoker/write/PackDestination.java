package dev.stoker.write;

import dev.stoker.StokerException;
import dev.stoker.format.Format;
import dev.stoker.format.Plan;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import dev.stoker.os.FilesystemSpace;
import dev.stoker.text.Sizes;
import dev.stoker.write.Packer.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Where a pack goes: whether it may be written there, and how it gets its final name.
 *
 * @param asked the name that was given
 * @param files those that are written, which may lie in a folder of that name
 */
record PackDestination(Format format, Path asked, PartialFiles files, Settings settings) {
    static PackDestination of(Format format, Path output, Settings settings) {
        Path asked = output.toAbsolutePath().normalize();
        return new PackDestination(
                format, asked, new PartialFiles(format.fileFor(asked, settings.options())), settings);
    }

    /**
     * Refuses an output that is there, or that an earlier pack left unfinished, unless that was asked for.
     *
     * @param onlyContainers whether a folder must be a container to be written over; loose files alone replace any folder
     */
    void refuseExisting(boolean onlyContainers) {
        Path output = files.output();
        if (FileProbe.exists(output)) {
            refuseReplacing(output, onlyContainers);
        }
        Path folder = asked.getParent();
        Path parent = Objects.requireNonNull(output.getParent());
        if (!parent.equals(folder) && FileProbe.exists(parent) && !FileProbe.isFolder(parent)) {
            throw OverwriteCheck.wrongKind(format, parent, false);
        }
        if (files.exist() && !settings.resume() && !settings.force()) {
            throw new StokerException(
                    files.container(),
                    "is what an earlier pack left, or one that is running now; "
                            + "use --resume to continue it, or --force to start over");
        }
        if (folder == null || !FileProbe.isFolder(folder)) {
            throw new StokerException(output, "cannot be written: its folder does not exist");
        }
    }

    private void refuseReplacing(Path output, boolean onlyContainers) {
        OverwriteCheck.requireKind(format, output);
        if (!settings.force() && !settings.resume()) {
            throw alreadyExists();
        }
        if (!settings.force() && FileProbe.exists(files.container())) {
            throw new StokerException(
                    output,
                    "already exists, and so does what an interrupted pack left that was to"
                            + " replace it; use --resume --force to continue that");
        }
        if (settings.force() && onlyContainers) {
            OverwriteCheck.requireContainer(output);
        }
    }

    StokerException alreadyExists() {
        return new StokerException(files.output(), "already exists; use --force to overwrite it");
    }

    /** Whether an earlier pack gave the output its final name already, and was perhaps killed before it had cleaned up. */
    boolean isLeft() {
        return !settings.force() && FileProbe.exists(files.output());
    }

    /** The folder of the output itself, where the format puts it into one of its own. */
    void makeFolder() {
        try {
            Files.createDirectories(Objects.requireNonNull(files.output().getParent()));
        } catch (IOException e) {
            throw FileErrors.cannotWrite(files.output(), e);
        }
    }

    void refuseFullDisk(Plan plan) {
        Path partial = files.container();
        try {
            long taken = FileProbe.exists(partial) ? FilesystemSpace.takenBytes(partial) : 0;
            long free = FilesystemSpace.of(Objects.requireNonNull(partial.getParent()))
                    .freeBytes();
            long needed = plan.length()
                    + (plan.index().isContainer() ? 0 : plan.index().length());
            if (needed - taken > free) {
                throw new StokerException(
                        files.output(),
                        "needs " + Sizes.human(needed - taken) + (taken > 0 ? " more" : "") + " but its disk has only "
                                + Sizes.human(free) + " free");
            }
        } catch (IOException e) {
            throw FileErrors.cannotWrite(partial, e);
        }
    }

    /**
     * Gives what is sealed its final name.
     *
     * @param sidecar whether the container's sidecar is kept
     */
    void publish(boolean sidecar) {
        if (FileProbe.exists(files.output()) && !settings.force()) {
            throw new StokerException(
                    files.output(),
                    "was created by another process while this pack ran; use --resume --force to overwrite it");
        }
        if (sidecar) {
            files.tie();
        }
        files.rename(sidecar, settings.sync());
    }
}
