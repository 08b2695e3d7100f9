package dev.stoker.bench.advise;

import dev.stoker.stage.StagingChoice;
import dev.stoker.stage.copy.StagedForm;
import java.nio.file.Path;

/** Says how data would come to this node: {@link StagingChoice#forecast} for real, anything in a test. */
public interface Staging {
    /** For data of so many bytes in so many files, which lie, or will lie, somewhere. */
    StagingChoice choose(Path at, boolean isFolder, StagedForm form, long bytes, long files);
}
