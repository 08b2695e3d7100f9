package dev.stoker.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileErrorsTest {
    @TempDir
    Path folder;

    private String reason(String name) {
        String path = folder.resolve(name).toString();
        return FileErrors.reason(path, new NoSuchFileException(path));
    }

    @Test
    void aMissingFileIsComparedWithItsNeighbours() throws IOException {
        Files.createFile(folder.resolve("photos.stk"));
        assertThat(reason("potos.stk")).isEqualTo("there is no such file or folder; did you mean 'photos.stk'?");
        assertThat(reason("something else")).isEqualTo("there is no such file or folder");
        assertThat(reason("no/such/folder")).isEqualTo("there is no such file or folder");
    }

    @Test
    void aNameThatIsNoPathGetsNoSuggestion() {
        assertThat(FileErrors.reason("\0", new NoSuchFileException("\0"))).isEqualTo("there is no such file or folder");
    }
}
