package dev.stoker.bench.advise;

import dev.stoker.stage.Choice;
import dev.stoker.stage.Form;
import java.nio.file.Path;

/** Says how data would come to this node: {@link Choice#forecast} for real, anything in a test. */
public interface Staging {
    /** For data of so many bytes in so many files, which lie, or will lie, somewhere. */
    Choice choose(Path at, boolean isFolder, Form form, long bytes, long files);
}
