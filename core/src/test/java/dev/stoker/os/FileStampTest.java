package dev.stoker.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.Await;
import dev.stoker.StokerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileStampTest {
    @TempDir
    private Path folder;

    private Path path = Path.of("");

    @BeforeEach
    void write() throws IOException {
        path = Files.writeString(folder.resolve("x"), "before");
    }

    private void assertChanged(FileStamp before, String how) {
        assertThatThrownBy(() -> before.requireUnchanged("packed"))
                .isInstanceOf(StokerException.class)
                .hasMessage("[" + path + "] changed while it was being packed: " + how
                        + ". What was read may be a part of each version; retry when nothing writes to it");
    }

    @Test
    void readingChangesNothing() throws IOException {
        FileStamp before = FileStamp.of(path);
        assertThat(path).hasContent("before");
        before.requireUnchanged("packed");
        assertThat(before.size()).isEqualTo(6);
        assertThat(FileStamp.of(path)).isEqualTo(before);
    }

    @Test
    void anotherLengthIsSeen() throws IOException {
        FileStamp before = FileStamp.of(path);
        Files.writeString(path, "and after");
        assertChanged(before, "it had 6 bytes and now has 9");
    }

    @Test
    void anotherFileOfTheSameLengthIsSeen() throws IOException {
        FileStamp before = FileStamp.of(path);
        Path other = Files.writeString(folder.resolve("y"), "BEFORE");
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(path));
        Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
        assertChanged(before, "another file has its name now");
    }

    @Test
    void aTimeThatWasSetBackDoesNotHideAWrite() throws Exception {
        FileStamp before = FileStamp.of(path);
        FileTime modified = Files.getLastModifiedTime(path);
        // The system's clock for files stands still for some milliseconds.
        Await.until("the system counts a later time", () -> {
            Files.writeString(path, "BEFORE");
            Files.setLastModifiedTime(path, modified);
            return FileStamp.of(path).changedNanos() != before.changedNanos();
        });
        assertThat(FileStamp.of(path).modifiedNanos()).isEqualTo(before.modifiedNanos());
        assertChanged(before, "it was written or renamed, or its permissions were changed");
    }

    @Test
    void aFileThatIsGoneCannotBeRead() throws IOException {
        FileStamp before = FileStamp.of(path);
        Files.delete(path);
        assertThatThrownBy(() -> before.requireUnchanged("packed"))
                .isInstanceOf(StokerException.class)
                .hasMessage("[" + path + "] cannot be read: there is no such file or folder");
    }

    @Test
    void aLinkIsTheFileThatItLeadsTo() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), path);
        FileStamp before = FileStamp.of(link);
        assertThat(before.inode()).isEqualTo(FileStamp.of(path).inode());
        Files.delete(link);
        Files.createSymbolicLink(link, Files.writeString(folder.resolve("z"), "BEFORE"));
        assertThatThrownBy(() -> before.requireUnchanged("fed")).hasMessageContaining("another file has its name now");
    }
}
