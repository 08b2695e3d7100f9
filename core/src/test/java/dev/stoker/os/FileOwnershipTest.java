package dev.stoker.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.StokerException;
import dev.stoker.io.OutputFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others put where this user writes. {@code ./check --group security} tries it with a real other user. */
class FileOwnershipTest {
    private static final int SOMEBODY = 12_345;

    @TempDir
    Path folder;

    private Path shared;
    private Path precious;

    @BeforeEach
    void prepare() throws IOException {
        shared = Files.createDirectory(folder.resolve("shared"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        precious = Files.writeString(folder.resolve("precious"), "precious");
    }

    @Test
    void aLinkIsNotFollowed() throws IOException {
        Path link = Files.createSymbolicLink(shared.resolve("out.partial"), precious);
        assertThatThrownBy(() -> OutputFile.open(link))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("out.partial] refusing to write: it is a symbolic link");
        Path dangling = Files.createSymbolicLink(shared.resolve("other.partial"), folder.resolve("new"));
        assertThatThrownBy(() -> OutputFile.open(dangling)).isInstanceOf(StokerException.class);
        assertThat(precious).hasContent("precious");
        assertThat(folder.resolve("new")).doesNotExist();
        assertThatThrownBy(() -> FileOwnership.folder(Files.createSymbolicLink(shared.resolve("tree"), folder)))
                .hasMessageContaining("it is a symbolic link");
    }

    @Test
    void filesThatTheUserNamesFollowLinksOnlyWhereNobodyElseWrites() throws IOException {
        for (Path target : new Path[] {precious, folder.resolve("new")}) {
            Path link = Files.createSymbolicLink(shared.resolve("to-" + target.getFileName()), target);
            assertThatThrownBy(() -> TrustedFile.write(link, new byte[1]))
                    .hasMessageContaining("it is a symbolic link");
            assertThatThrownBy(() -> TrustedFile.open(link, StandardOpenOption.APPEND))
                    .hasMessageContaining("it is a symbolic link");
            assertThatThrownBy(() -> ExclusiveFile.open(link)).hasMessageContaining("it is a symbolic link");
        }
        assertThat(precious).hasContent("precious");
        assertThat(folder.resolve("new")).doesNotExist();
        Path mine = Files.createSymbolicLink(folder.resolve("mine"), folder.resolve("new"));
        TrustedFile.write(mine, new byte[] {'a', 'b'});
        TrustedFile.write(mine, new byte[] {'c'});
        assertThat(folder.resolve("new")).hasContent("c");
    }

    /** One that was opened just before another process gave it its final name must not be written over. */
    @Test
    void aFileThatHasAnotherNameByNowIsNotClaimed() throws Exception {
        Path partial = folder.resolve("out.partial");
        Callable<Integer> writer = () -> {
            int done = 0;
            for (int i = 0; i < 3000; i++) {
                try (ExclusiveFile claimed = ExclusiveFile.open(partial)) {
                    if (claimed != null) {
                        assertThat(claimed.channel().size()).isZero();
                        claimed.channel().write(ByteBuffer.wrap(new byte[1]));
                        Files.move(partial, folder.resolve("out"), StandardCopyOption.ATOMIC_MOVE);
                        done++;
                    }
                }
            }
            return done;
        };
        try (var threads = Executors.newFixedThreadPool(3)) {
            for (Future<Integer> each : threads.invokeAll(Collections.nCopies(3, writer))) {
                assertThat(each.get()).isPositive();
            }
        }
        assertThat(folder.resolve("out")).hasSize(1);
    }

    @Test
    void aFileWithAnotherNameIsRefusedWhereEverybodyWrites() throws IOException {
        Path link = Files.createLink(shared.resolve("out.partial"), precious);
        assertThatThrownBy(() -> OutputFile.open(link)).hasMessageContaining("it has another name too");
        OutputFile.open(Files.createLink(folder.resolve("out.partial"), precious))
                .close();
    }

    @Test
    void anotherUsersFileIsRefusedWhereEverybodyWrites() throws IOException {
        assumeTrue(LocalSocket.user() == 0, "only root can give files away");
        Path theirs = Files.writeString(shared.resolve("out.partial"), "theirs");
        Files.setAttribute(theirs, "unix:uid", SOMEBODY);
        assertThatThrownBy(() -> OutputFile.open(theirs))
                .hasMessageContaining(
                        "out.partial] refusing to write: it belongs to user 12345, in a world-writable folder;"
                                + " delete it, or choose a folder of your own for the output");
        Path tree = Files.createDirectory(shared.resolve("tree"));
        Files.setAttribute(tree, "unix:uid", SOMEBODY);
        assertThatThrownBy(() -> FileOwnership.folder(tree)).hasMessageContaining("it belongs to user 12345");
        assertThat(FileOwnership.mayDescribe(theirs, precious)).isFalse();
        assertThat(FileOwnership.mayDescribe(theirs, tree)).isTrue();
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxr-x"));
        OutputFile.open(theirs).close();
        assertThat(FileOwnership.mayDescribe(theirs, precious)).isTrue();
    }

    @Test
    void aFolderThatOthersCouldReplaceIsInDanger() throws IOException {
        Path own = Files.createDirectory(shared.resolve("own"));
        Path below = Files.createDirectory(own.resolve("below")).toRealPath();
        assertThat(FileOwnership.danger(folder.toRealPath())).isNull();
        assertThat(FileOwnership.danger(below))
                .isEqualTo("[" + shared.toRealPath() + "] is world-writable without the sticky bit");
        Files.setAttribute(shared, "unix:mode", 01777);
        assertThat(FileOwnership.danger(below)).isNull();
        assumeTrue(LocalSocket.user() == 0, "only root can give files away");
        Files.setAttribute(own, "unix:uid", SOMEBODY);
        assertThat(FileOwnership.danger(below))
                .isEqualTo("[" + own.toRealPath() + "] belongs to user 12345, in a world-writable folder");
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwx---"));
        assertThat(FileOwnership.danger(below)).isNull(); // a colleague's
    }
}
