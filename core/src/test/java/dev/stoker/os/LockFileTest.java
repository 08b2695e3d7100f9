package dev.stoker.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockFileTest {
    @TempDir
    private Path folder;

    private Path path = Path.of("");

    @BeforeEach
    void name() {
        path = folder.resolve("lock");
    }

    @Test
    void oneHasItAlone() {
        try (LockFile first = LockFile.file(path);
                LockFile second = LockFile.file(path)) {
            assertThat(first.tryAlone()).isTrue();
            assertThat(first.tryAlone()).isTrue();
            assertThat(second.tryAlone()).isFalse();
            assertThat(second.tryShared()).isFalse();
            first.unlock();
            assertThat(second.tryAlone()).isTrue();
        }
    }

    @Test
    void manyShareIt() {
        try (LockFile first = LockFile.file(path);
                LockFile second = LockFile.existing(path)) {
            assertThat(first.tryShared()).isTrue();
            assertThat(second.tryShared()).isTrue();
            assertThat(second.tryAlone()).isFalse();
            first.close();
            assertThat(second.tryAlone()).isTrue();
        }
    }

    @Test
    void closingAnotherWayToTheFileKeepsTheLock() throws IOException {
        try (LockFile first = LockFile.file(path)) {
            assertThat(first.tryAlone()).isTrue();
            FileChannel.open(path, StandardOpenOption.WRITE).close();
            LockFile.existing(path).close();
            try (LockFile second = LockFile.existing(path)) {
                assertThat(second.tryAlone()).isFalse();
            }
        }
    }

    @Test
    void noChildInheritsIt() throws IOException, InterruptedException {
        LockFile first = LockFile.file(path);
        assertThat(first.tryAlone()).isTrue();
        Process child = new ProcessBuilder("sleep", "60").start();
        try (LockFile second = LockFile.existing(path)) {
            first.close();
            assertThat(second.tryAlone()).isTrue();
            assertThat(child.isAlive()).isTrue();
        } finally {
            child.destroyForcibly().waitFor();
        }
    }

    @Test
    void itIsItsOwnersAlone() throws IOException {
        LockFile.file(path).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
    }

    @Test
    void aLinkOrAMissingFileIsRefused() throws IOException {
        assertThatThrownBy(() -> LockFile.existing(path))
                .isInstanceOf(StokerException.class)
                .hasMessage("[" + path + "] cannot be opened: No such file or directory");
        assertThat(path).doesNotExist();
        Files.createSymbolicLink(path, Files.createFile(folder.resolve("target")));
        assertThatThrownBy(() -> LockFile.file(path))
                .isInstanceOf(StokerException.class)
                .hasMessage("[" + path + "] cannot be opened: Too many levels of symbolic links");
    }

    @Test
    void whoseNameIsGoneIsTold() throws IOException {
        try (LockFile lock = LockFile.file(path)) {
            assertThat(lock.isLinked()).isTrue();
            assertThat(lock.isNamed()).isTrue();
            Path moved = Files.move(path, folder.resolve("moved"));
            assertThat(lock.isLinked()).isTrue();
            assertThat(lock.isNamed()).isFalse();
            Files.createFile(path);
            assertThat(lock.isNamed()).isFalse();
            Files.move(moved, path, StandardCopyOption.REPLACE_EXISTING);
            assertThat(lock.isNamed()).isTrue();
            Files.delete(path);
            assertThat(lock.isLinked()).isFalse();
            assertThat(lock.isNamed()).isFalse();
        }
    }

    @Test
    void closingItTwiceClosesNobodyElsesFile() throws IOException {
        LockFile first = LockFile.file(path);
        first.close();
        // The system gives the lowest free number, so this file has that of the first.
        int file = Posix.open(Posix.HERE, path.toString().getBytes(StandardCharsets.UTF_8));
        try {
            first.close();
            assertThat(Posix.stat(file).kind()).isEqualTo(Posix.Kind.FILE);
        } finally {
            Posix.close(file);
        }
    }
}
