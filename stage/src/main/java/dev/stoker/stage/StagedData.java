package dev.stoker.stage;

import java.nio.file.Path;

/** Data that this process uses where they were staged. */
public final class StagedData implements AutoCloseable {
    private final StagedFolder folder;
    private final Path data;

    StagedData(StagedFolder folder, Path data) {
        this.folder = folder;
        this.data = data;
    }

    /** The container, or the folder of the files. */
    public Path data() {
        return data;
    }

    StagedFolder folder() {
        return folder;
    }

    /** Stops using them; the last who does deletes them, unless they are kept or somebody owns them. */
    @Override
    public void close() {
        folder.leave();
    }
}
