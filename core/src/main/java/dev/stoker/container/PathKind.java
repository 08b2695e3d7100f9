package dev.stoker.container;

import dev.stoker.format.Formats;
import dev.stoker.os.FileProbe;
import java.nio.file.Path;

/** What a path is to Stoker. Every command that takes data asks here, so that all give the same answer. */
public enum PathKind {
    /** A file, be it a container or not; or nothing at all, which opening it will say. */
    FILE,
    /** A container that is a folder: with an Index beside it, or in a format that is known by what is in it. */
    FOLDER_CONTAINER,
    /** A folder of files, each of them a sample. */
    LOOSE_FILES;

    public static PathKind of(Path path) {
        if (!FileProbe.isFolder(path)) {
            return FILE;
        }
        return Sidecar.isBeside(path) || !Formats.isLoose(path) ? FOLDER_CONTAINER : LOOSE_FILES;
    }

    /** Whether a path is a folder of samples. What is left of a container, or of an unfinished pack, is refused. */
    public static boolean isLooseFiles(Path path) {
        if (of(path) != LOOSE_FILES) {
            return false;
        }
        Formats.refuseNamed(path);
        HuggingFaceFolder.refuse(path);
        PartialPackCheck.refuseItself(path);
        return true;
    }
}
