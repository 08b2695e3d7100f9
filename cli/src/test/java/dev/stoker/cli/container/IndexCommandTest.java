package dev.stoker.cli.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.cli.Ending;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexCommandTest {
    @TempDir
    Path folder;

    @Test
    void aFolderIsRefusedWithWhatToDo() throws IOException {
        Files.writeString(folder.resolve("zarr.json"), "{}");
        assertThat(Ending.of("index", folder).require(1).err())
                .startsWith("stoker: [" + folder + "] is a folder; ")
                .contains("stoker convert " + folder + " -o NAME.stk");
    }
}
