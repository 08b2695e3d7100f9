package dev.stoker.cli.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.stoker.cli.Ending;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What cannot fit is refused before a byte is written. */
class FullDiskTest {
    private static final long MORE_THAN_FREE = 15L << 40;

    @TempDir
    Path folder;

    private Path source;
    private Path output;

    @BeforeEach
    void begin() throws IOException {
        source = Files.createDirectory(folder.resolve("src"));
        output = folder.resolve("x.stk");
        makeSparse(source.resolve("a.bin"));
    }

    private static void makeSparse(Path file) throws IOException {
        try (var opened = new RandomAccessFile(file.toFile(), "rw")) {
            opened.setLength(MORE_THAN_FREE);
        } catch (IOException e) {
            abort("this filesystem has no sparse files of 15 TiB: " + e.getMessage());
        }
    }

    @Test
    void aNewPackIsRefused() {
        Ending end = Ending.of("pack", source, "-o", output);
        assertThat(end.code()).isEqualTo(1);
        assertThat(end.err()).contains("[" + output + "] needs 16.5 TB but its disk has only ");
        assertThat(folder).isDirectoryContaining(path -> path.equals(source)).isDirectoryNotContaining("glob:**x.stk*");
    }

    /** The length of an unfinished pack says nothing: it has its full length from the beginning. */
    @Test
    void soIsOneThatWasBegun() throws IOException {
        makeSparse(folder.resolve("x.stk.partial"));
        Ending end = Ending.of("pack", source, "-o", output, "--resume");
        assertThat(end.code()).isEqualTo(1);
        assertThat(end.err()).contains("[" + output + "] needs 16.5 TB").contains(" but its disk has only ");
    }
}
