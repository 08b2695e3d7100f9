package dev.stoker.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderBoundaryTest {
    @TempDir
    private Path temp;

    private Path inside = Path.of("");
    private Path outside = Path.of("");
    private FolderBoundary boundary = new FolderBoundary(inside);

    @BeforeEach
    void makeFolders() throws IOException {
        inside = Files.createDirectories(temp.resolve("data"));
        // Its name begins as the folder's does: comparing texts would take it for a part of it.
        outside = Files.createDirectories(temp.resolve("data-of-others"));
        Files.writeString(outside.resolve("secret"), "secret");
        boundary = new FolderBoundary(inside);
    }

    @Test
    void filesBelowAreHeld() throws IOException {
        Files.createDirectories(inside.resolve("a/b"));
        Files.createFile(inside.resolve("a/b/x"));
        assertThat(boundary.holds(inside.resolve("a/b/x"))).isTrue();
        assertThat(boundary.holds(inside.resolve("a/b/y"))).isTrue();
        assertThat(boundary.holds(inside.resolve("missing/y"))).isTrue();
        assertThat(boundary.folder()).isEqualTo(inside);
    }

    @Test
    void aLinkToElsewhereIsNot() throws IOException {
        Path link = Files.createSymbolicLink(inside.resolve("x"), outside.resolve("secret"));
        Path relative = Files.createSymbolicLink(inside.resolve("y"), Path.of("../data-of-others/secret"));
        assertThat(boundary.holds(link)).isFalse();
        assertThat(boundary.holds(relative)).isFalse();
        assertThat(boundary.holds(inside.resolve("../data-of-others/secret"))).isFalse();
    }

    @Test
    void neitherIsAFileInALinkedFolder() throws IOException {
        Files.createFile(inside.resolve("good"));
        Path link = Files.createSymbolicLink(inside.resolve("folder"), outside);
        assertThat(boundary.holds(inside.resolve("good"))).isTrue();
        assertThat(boundary.holds(link.resolve("secret"))).isFalse();
        assertThat(boundary.holds(inside.resolve("good"))).isTrue();
        assertThat(boundary.holds(link.resolve("secret"))).isFalse();
    }

    @Test
    void aLinkThatStaysInsideIsHeld() throws IOException {
        Path file = Files.createFile(inside.resolve("x"));
        assertThat(boundary.holds(Files.createSymbolicLink(inside.resolve("y"), file)))
                .isTrue();
        assertThat(boundary.holds(Files.createSymbolicLink(inside.resolve("z"), inside.resolve("missing"))))
                .isTrue();
    }

    @Test
    void theFolderItselfMayBeReachedByALink() throws IOException {
        Files.createFile(inside.resolve("x"));
        Files.createSymbolicLink(inside.resolve("bad"), outside.resolve("secret"));
        Path link = Files.createSymbolicLink(temp.resolve("link"), inside);
        var linked = new FolderBoundary(link);
        assertThat(linked.holds(link.resolve("x"))).isTrue();
        assertThat(linked.holds(link.resolve("bad"))).isFalse();
    }
}
