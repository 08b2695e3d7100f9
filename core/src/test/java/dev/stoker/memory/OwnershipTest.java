package dev.stoker.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.StokerException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others put where this user writes. {@code ./check --group security} tries it with a real other user. */
class OwnershipTest {
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
                .hasMessageContaining("out.partial] cannot be written: ");
        Path dangling = Files.createSymbolicLink(shared.resolve("other.partial"), folder.resolve("new"));
        assertThatThrownBy(() -> OutputFile.open(dangling)).isInstanceOf(StokerException.class);
        assertThat(precious).hasContent("precious");
        assertThat(folder.resolve("new")).doesNotExist();
        assertThatThrownBy(() -> Ownership.folder(Files.createSymbolicLink(shared.resolve("tree"), folder)))
                .hasMessageContaining("it is a symbolic link");
    }

    @Test
    void filesThatTheUserNamesFollowLinksOnlyWhereNobodyElseWrites() throws IOException {
        for (Path target : new Path[] {precious, folder.resolve("new")}) {
            Path link = Files.createSymbolicLink(shared.resolve("to-" + target.getFileName()), target);
            assertThatThrownBy(() -> OwnFile.write(link, new byte[1])).hasMessageContaining("it is a symbolic link");
            assertThatThrownBy(() -> OwnFile.open(link, StandardOpenOption.APPEND))
                    .hasMessageContaining("it is a symbolic link");
            assertThatThrownBy(() -> OwnFile.claim(link)).hasMessageContaining("it is a symbolic link");
        }
        assertThat(precious).hasContent("precious");
        assertThat(folder.resolve("new")).doesNotExist();
        Path mine = Files.createSymbolicLink(folder.resolve("mine"), folder.resolve("new"));
        OwnFile.write(mine, new byte[] {'a', 'b'});
        OwnFile.write(mine, new byte[] {'c'});
        assertThat(folder.resolve("new")).hasContent("c");
    }

    @Test
    void aFileThatHasAnotherNameByNowIsNotClaimed() throws IOException {
        Path partial = folder.resolve("out.partial");
        Path output = folder.resolve("out");
        try (FileChannel first = Objects.requireNonNull(OwnFile.claim(partial))) {
            first.write(ByteBuffer.wrap(new byte[3]));
            assertThat(OwnFile.claim(partial)).isNull();
            Files.move(partial, output);
        }
        try (FileChannel second = Objects.requireNonNull(OwnFile.claim(partial))) {
            assertThat(second.size()).isZero();
        }
        assertThat(output).hasSize(3);
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
                        "out.partial] is not written to: it belongs to user 12345, in a folder that everybody"
                                + " may write to; delete it, or choose a folder of your own for the output");
        Path tree = Files.createDirectory(shared.resolve("tree"));
        Files.setAttribute(tree, "unix:uid", SOMEBODY);
        assertThatThrownBy(() -> Ownership.folder(tree)).hasMessageContaining("it belongs to user 12345");
        assertThat(Ownership.mayDescribe(theirs, precious)).isFalse();
        assertThat(Ownership.mayDescribe(theirs, tree)).isTrue();
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxr-x"));
        OutputFile.open(theirs).close();
        assertThat(Ownership.mayDescribe(theirs, precious)).isTrue();
    }
}
