package dev.stoker.formats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.container.Container;
import dev.stoker.format.Format;
import dev.stoker.formats.squashfs.SquashFormat;
import dev.stoker.formats.tar.TarFormat;
import dev.stoker.formats.zip.ZipFormat;
import dev.stoker.sample.Omission;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Archives that people made on their desktops: what is in them beside the data is left out and counted. */
class LeftOutMembersTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private final TreeMap<String, String> samples = new TreeMap<>();
    private final TreeMap<String, String> tree = new TreeMap<>();

    @BeforeEach
    void makeTree() throws Exception {
        for (int i = 0; i < 10; i++) {
            samples.put("cat/" + i + ".jpg", "picture " + i);
            tree.put("__MACOSX/cat/._" + i + ".jpg", "attributes");
        }
        samples.put("cat/_.jpg", "a sample");
        samples.put("cat/.hidden", "a sample");
        tree.putAll(samples);
        tree.put("cat/._0.jpg", "attributes");
        tree.put("._cat", "attributes");
        tree.put(".DS_Store", "junk");
        tree.put("cat/.DS_Store", "junk");
        tree.put("cat/Thumbs.db", "junk");
        tree.put("cat/desktop.ini", "junk");
        Trees.write(folder.resolve("tree"), tree);
    }

    /** Beside the junk: a symbolic link, and a pipe where the archive takes one. */
    private void addLinks(boolean hasPipe) throws Exception {
        Files.createSymbolicLink(folder.resolve("tree/cat/link.jpg"), Path.of("0.jpg"));
        if (hasPipe) {
            Trees.run(folder, "mkfifo", "tree/cat/pipe");
        }
    }

    private void assertLeftOut(Path archive, boolean hasPipe) throws Exception {
        try (Container container = Trees.openAnew(archive)) {
            assertThat(Trees.contents(container)).isEqualTo(samples);
            assertThat(container.omissions().stream().map(Omission::name).toList())
                    .startsWith(".DS_Store", "._*", "Thumbs.db", "__MACOSX/", "desktop.ini", "symbolic links")
                    .hasSize(hasPipe ? 7 : 6);
            assertThat(container.omissions().stream().map(Omission::what).toList())
                    .startsWith("2 files", "2 files", "1 file", "10 files", "1 file", "1 member");
            assertThat(container.omissions().get(1).toString())
                    .isEqualTo("._* (2 files): desktops leave these behind, and no data set means them");
            assertThat(container.omissions().get(5).toString())
                    .isEqualTo(
                            "symbolic links (1 member): a link has no bytes of its own and may lead out of the archive;"
                                    + " archive the files that the links lead to instead");
        }
    }

    @Test
    void tar() throws Exception {
        addLinks(true);
        Trees.run(folder.resolve("tree"), "tar", "cf", "../x.tar", ".");
        assertLeftOut(folder.resolve("x.tar"), true);
    }

    @Test
    void zip() throws Exception {
        addLinks(false);
        Trees.run(folder.resolve("tree"), "zip", "-qry", "../x.zip", ".");
        assertLeftOut(folder.resolve("x.zip"), false);
        Trees.run(folder.resolve("tree"), "zip", "-qry0", "../stored.zip", ".");
        assertLeftOut(folder.resolve("stored.zip"), false);
    }

    @Test
    void squashfs() throws Exception {
        Trees.require("mksquashfs");
        addLinks(true);
        Trees.run(folder, "mksquashfs", "tree", "x.sqsh", "-quiet", "-no-progress");
        assertLeftOut(folder.resolve("x.sqsh"), true);
    }

    static List<Format> formats() {
        return List.of(new TarFormat(), new ZipFormat(), new SquashFormat());
    }

    /** As {@code pack --hidden} does; the sidecar may be lost. */
    @ParameterizedTest
    @MethodSource("formats")
    void whatStokerPackedStaysASample(Format format) throws Exception {
        Path place = Trees.pack(
                format,
                Trees.samples(tree),
                folder.resolve("ours." + format.extensions().getFirst()));
        try (Container container = Trees.openAnew(place)) {
            assertThat(Trees.contents(container)).isEqualTo(tree);
            assertThat(container.omissions()).isEmpty();
        }
    }
}
