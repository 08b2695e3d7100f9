package dev.stoker.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PosixTest {
    private final Arena arena = Arena.ofConfined();
    private final List<Integer> opened = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        opened.forEach(Posix::close);
        arena.close();
    }

    private static byte[] name(Object path) {
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }

    private int open(Path path) throws IOException {
        int file = Posix.open(Posix.HERE, name(path));
        opened.add(file);
        return file;
    }

    /** Runs a shell in the folder: Java cannot make names that its locale does not have. */
    private void shell(String script) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("sh", "-c", script)
                        .directory(folder.toFile())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    private Map<String, Posix.Kind> list() throws IOException {
        var found = new HashMap<String, Posix.Kind>();
        Posix.list(
                Posix.HERE,
                name(folder),
                (bytes, kind) -> found.put(new String(bytes, StandardCharsets.ISO_8859_1), kind));
        return found;
    }

    @Test
    void aFolderMayHoldAnyNames() throws Exception {
        // Latin-1, a line's end, three dots, a hidden file, a space, and the longest name there is.
        shell("touch \"$(printf 'caf\\351')\" \"$(printf 'a\\nb')\" ... .hidden ' ' \"$(printf '%0255d' 7)\"");
        assertThat(list())
                .containsOnlyKeys("caf\u00e9", "a\nb", "...", ".hidden", " ", "0".repeat(254) + "7")
                .allSatisfy((_, kind) -> assertThat(kind).isIn(Posix.Kind.FILE, Posix.Kind.UNKNOWN));
        byte[] latin = {'c', 'a', 'f', (byte) 0xe9};
        assertThat(Posix.stat(open(folder), latin).kind()).isEqualTo(Posix.Kind.FILE);
        opened.add(Posix.open(open(folder), latin));
    }

    @Test
    void aFolderIsListedWholeHoweverMuchItHolds() throws Exception {
        // More than the system tells at once.
        var names = new TreeSet<String>();
        for (int i = 0; i < 2_500; i++) {
            String name = "a file with a long name " + i;
            Files.createFile(folder.resolve(name));
            names.add(name);
        }
        assertThat(list().keySet()).isEqualTo(names);
    }

    @Test
    void aFolderWithoutEntriesGivesNone() throws IOException {
        assertThat(list()).isEmpty();
    }

    @Test
    void kindsAreTold() throws Exception {
        shell("touch file; mkdir folder; ln -s folder link; ln -s nowhere dangling; mkfifo pipe");
        assertThat(kind("file")).isEqualTo(Posix.Kind.FILE);
        assertThat(kind("folder")).isEqualTo(Posix.Kind.FOLDER);
        assertThat(kind("link")).isEqualTo(Posix.Kind.FOLDER);
        assertThat(kind("pipe")).isEqualTo(Posix.Kind.OTHER);
        assertThat(Posix.statLink(Posix.HERE, name(folder.resolve("link"))).kind())
                .isEqualTo(Posix.Kind.LINK);
        assertThat(Posix.statLink(Posix.HERE, name(folder.resolve("dangling"))).kind())
                .isEqualTo(Posix.Kind.LINK);
        assertThat(Posix.stat(Posix.HERE, name("/dev/null")).kind()).isEqualTo(Posix.Kind.OTHER);
        Map<String, Posix.Kind> listed = list();
        if (!listed.containsValue(Posix.Kind.UNKNOWN)) { // a filesystem need not tell
            assertThat(listed)
                    .containsEntry("file", Posix.Kind.FILE)
                    .containsEntry("folder", Posix.Kind.FOLDER)
                    .containsEntry("link", Posix.Kind.LINK)
                    .containsEntry("pipe", Posix.Kind.OTHER);
        }
    }

    private Posix.Kind kind(String name) throws IOException {
        return Posix.stat(Posix.HERE, name(folder.resolve(name))).kind();
    }

    @Test
    void statIsWhatJavaSees() throws IOException {
        Path file = Files.write(folder.resolve("x"), new byte[1234]);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_234_567_890_123L));
        Posix.Stat stat = Posix.stat(open(file));
        assertThat(stat).isEqualTo(Posix.stat(Posix.HERE, name(file)));
        assertThat(stat.size()).isEqualTo(1234);
        assertThat(stat.modifiedNanos()).isEqualTo(1_234_567_890_123_000_000L);
        assertThat(stat.inode()).isEqualTo(Files.getAttribute(file, "unix:ino"));
        Posix.Stat other = Posix.stat(Posix.HERE, name(Files.createFile(folder.resolve("y"))));
        assertThat(other.inode()).isNotEqualTo(stat.inode());
        assertThat(other.device()).isEqualTo(stat.device());
    }

    @Test
    void linksAreCounted() throws IOException {
        Path file = Files.createFile(folder.resolve("x"));
        int number = open(file);
        Path second = Files.createLink(folder.resolve("y"), file);
        assertThat(Posix.links(number)).isEqualTo(2);
        Files.delete(second);
        Files.delete(file);
        assertThat(Posix.links(number)).isZero();
    }

    @Test
    void readingEndsWithTheFile() throws IOException {
        int file = open(Files.write(folder.resolve("x"), new byte[] {1, 2, 3, 4, 5}));
        MemorySegment to = arena.allocate(4);
        assertThat(Posix.read(file, to, 1)).isEqualTo(4);
        assertThat(to.toArray(ValueLayout.JAVA_BYTE)).containsExactly(2, 3, 4, 5);
        assertThat(Posix.read(file, to, 3)).isEqualTo(2);
        assertThat(to.toArray(ValueLayout.JAVA_BYTE)).containsExactly(4, 5, 4, 5);
        assertThat(Posix.read(file, to, 5)).isZero();
        assertThat(Posix.read(file, to, 1L << 40)).isZero();
        assertThat(Posix.read(file, to.asSlice(0, 0), 0)).isZero();
    }

    @Test
    void enoughIsEnough() throws IOException {
        int file = open(Files.write(folder.resolve("x"), new byte[100]));
        assertThat(Posix.read(file, arena.allocate(64), 50, 10)).isBetween(10L, 50L);
        assertThat(Posix.read(file, arena.allocate(64), 0, 0)).isZero();
    }

    @Test
    void mappedPagesThatWereReadAreInMemory() throws IOException {
        Path file = Files.write(folder.resolve("x"), new byte[64 << 10]);
        try (var channel = FileChannel.open(file)) {
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            Posix.advise(mapped, 100, 5_000, Posix.Advice.WILL_NEED);
            for (long at = 0; at < mapped.byteSize(); at += 4096) {
                assertThat(mapped.get(ValueLayout.JAVA_BYTE, at)).isZero();
            }
            assertThat(Posix.isResident(mapped, 0, mapped.byteSize())).isTrue();
            assertThat(Posix.isResident(mapped, mapped.byteSize(), 0)).isTrue();
        }
    }

    @Test
    void failuresHaveTheSystemsWordsAndTheirNumber() throws IOException {
        Path file = Files.createFile(folder.resolve("x"));
        assertThatThrownBy(() -> Posix.open(Posix.HERE, name(folder.resolve("missing"))))
                .isInstanceOfSatisfying(ErrnoException.class, e -> {
                    assertThat(e.errno()).isEqualTo(ErrnoException.ENOENT);
                    assertThat(e.isMissing()).isTrue();
                    assertThat(e.isNowhere()).isTrue();
                    assertThat(e.isShortage()).isFalse();
                })
                .hasMessage("No such file or directory");
        assertThatThrownBy(() -> Posix.stat(Posix.HERE, name(file.resolve("below"))))
                .isInstanceOfSatisfying(ErrnoException.class, e -> {
                    assertThat(e.isMissing()).isFalse();
                    assertThat(e.isNowhere()).isTrue();
                })
                .hasMessage("Not a directory");
        assertThatThrownBy(() -> Posix.stat(Posix.HERE, name(folder.resolve("x".repeat(256)))))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.isNowhere()).isTrue())
                .hasMessage("File name too long");
        assertThatThrownBy(() -> Posix.list(Posix.HERE, name(file), (_, _) -> {}))
                .hasMessage("Not a directory");
        assertThatThrownBy(() -> Posix.read(open(folder), arena.allocate(1), 0)).hasMessage("Is a directory");
        assertThatThrownBy(() -> Posix.read(open(file), arena.allocate(1), -1))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.isInvalid()).isTrue());
        assertThatThrownBy(() -> Posix.stat(-1)).hasMessage("Bad file descriptor");
        assertThatThrownBy(() -> Posix.syncFilesystem(-1)).hasMessage("Bad file descriptor");
    }
}
