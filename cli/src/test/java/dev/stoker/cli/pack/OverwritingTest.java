package dev.stoker.cli.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.cli.Ending;
import dev.stoker.cli.Main;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code --force} and {@code --resume} do with what is there: they replace containers, and nothing else. */
class OverwritingTest {
    @TempDir
    Path folder;

    private Path source;

    @BeforeEach
    void makeSource() throws IOException {
        source = folder.resolve("src");
        for (String name : List.of("a/0.bin", "a/1.bin", "b/2.bin")) {
            write(source.resolve(name), "bytes of " + name);
        }
    }

    private static Path write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    /** Every file in the test's folder. */
    private Map<String, String> files() throws IOException {
        var files = new TreeMap<String, String>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return files;
    }

    private Path packed(String name) {
        Path packed = folder.resolve(name);
        assertThat(Ending.of("pack", source, "-o", packed)).satisfies(done -> {
            assertThat(done.err()).isEmpty();
            assertThat(done.code()).isZero();
        });
        return packed;
    }

    private void refused(String reason, Object... args) throws IOException {
        refused(1, reason, args);
    }

    private void refused(int code, String reason, Object... args) throws IOException {
        Map<String, String> before = files();
        Ending ending = Ending.of(args);
        assertThat(files()).isEqualTo(before);
        assertThat(ending.code()).isEqualTo(code);
        assertThat(ending.err()).contains(reason);
    }

    @Test
    void aSourceIsNotWrittenOver() throws IOException {
        Path a = source.resolve("a");
        refused("holds the source", "pack", a, "-o", source, "--format", "folder", "--force");
        refused("is part of the source", "pack", source, "-o", a.resolve("0.bin"), "--format", "stk", "--force");
        refused("is the source", "pack", source, "-o", source, "--format", "folder", "--force");
        Path manifest = write(folder.resolve("m.json"), "{\"a/0.bin\": 1}");
        Object[] named = {"pack", source, "--manifest", manifest, "-o", manifest, "--format", "stk", "--force"};
        refused("is the source", named);
        Path link = Files.createSymbolicLink(folder.resolve("link"), source);
        refused("holds the source", "pack", a, "-o", link, "--format", "folder", "--force");
    }

    @Test
    void aFolderThatHoldsTheContainerIsNotWrittenOver() throws IOException {
        write(folder.resolve("d/other"), "mine");
        Path container = packed("d/x.arrow");
        Path holding = folder.resolve("d");
        refused("holds the source", "convert", container, "-o", holding, "--format", "folder", "--force");
        refused("holds the source", "export", container, "-o", holding, "--force");
    }

    /** In a process of its own: a test has no current folder that it may lose. */
    @Test
    void theCurrentFolderIsNotWrittenOver() throws Exception {
        packed("x.stk");
        Path here = write(folder.resolve("here/below/mine"), "mine").getParent();
        for (Path output : List.of(Path.of("."), here.getParent())) {
            assertThat(run(here, "export", folder.resolve("x.stk"), "-o", output, "--force"))
                    .contains("is the current folder or one above it");
            assertThat(here.resolve("mine")).hasContent("mine");
        }
        assertThat(run(here, "pack", source, "-o", ".", "--format", "stk", "--force"))
                .contains("is the current folder or one above it");
        assertThat(here.resolve("mine")).hasContent("mine");
    }

    private static String run(Path here, Object... args) throws Exception {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        Stream.of(args).map(Object::toString).forEach(command::add);
        Process process = new ProcessBuilder(command)
                .directory(here.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(1);
        return said;
    }

    @Test
    void aFolderThatIsNoContainerIsNotWrittenOver() throws IOException {
        Path mine = write(folder.resolve("d.stk/mine"), "mine").getParent();
        refused("is a folder, but format stk writes a file", "pack", source, "-o", mine, "--force");
        refused(
                "is a folder but not a container; refusing to overwrite it",
                "pack",
                source,
                "-o",
                mine,
                "--format",
                "folder",
                "--force");
        Path zarr = write(folder.resolve("d.zarr/mine"), "mine").getParent();
        refused("is a folder but not a container; refusing to overwrite it", "pack", source, "-o", zarr, "--force");
        // An Index of something else that had the name says nothing of the folder.
        packed("e.tar");
        Files.delete(folder.resolve("e.tar"));
        write(folder.resolve("e.tar/mine"), "mine");
        refused(
                "its Index should not place",
                "pack",
                source,
                "-o",
                folder.resolve("e.tar"),
                "--format",
                "folder",
                "--force");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x.zarr", "x.lmdb", "x.arrow", "x.stk"})
    void aContainerIsWrittenOverAlsoByItself(String name) throws IOException {
        Path packed = packed(name);
        Map<String, String> before = files();
        assertThat(Ending.of("convert", packed, "-o", packed, "--force").err()).isEmpty();
        assertThat(files()).isEqualTo(before);
        write(source.resolve("c/3.bin"), "more");
        assertThat(Ending.of("pack", source, "-o", packed, "--force").out()).contains("4 samples");
        assertThat(Ending.of("verify", packed, "--against", source).code()).isZero();
    }

    @Test
    void anEmptyFolderAndOneOfLooseFilesAreWrittenOver() throws IOException {
        Path loose = Files.createDirectory(folder.resolve("loose"));
        Object[] pack = {"pack", source, "-o", loose, "--format", "folder", "--force"};
        assertThat(Ending.of(pack).err()).isEmpty();
        Files.delete(source.resolve("b/2.bin"));
        assertThat(Ending.of(pack).err()).isEmpty();
        assertThat(loose.resolve("b")).doesNotExist();
        write(loose.resolve("a/mine"), "mine");
        refused("has a file that its Index does not know, such as a/mine", pack);
        assertThat(Ending.of("export", packed("x.stk"), "-o", loose, "--force").err())
                .isEmpty();
        assertThat(loose.resolve("a/mine")).doesNotExist();
        assertThat(folder.resolve("loose.stkx")).doesNotExist();
    }

    @Test
    void aFileIsNoFolder() throws IOException {
        Path zarr = write(folder.resolve("d.zarr"), "mine");
        refused("is a file, but format zarr writes a folder", "pack", source, "-o", zarr, "--force");
        Path lmdb = write(folder.resolve("d.lmdb"), "mine");
        refused("d.lmdb] is a file, but format lmdb writes a folder", "pack", source, "-o", lmdb);
        refused(2, "is not a name for an output", "pack", source, "-o", "/", "--format", "stk");
        refused(2, "is not a name for an output", "export", packed("x.stk"), "-o", "/");
        refused("is neither a file nor a folder", "pack", source, "-o", "/dev/null", "--format", "stk");
    }

    @Test
    void anOutputInItsSourceIsNoSample() throws IOException {
        for (String name : List.of("x.arrow", "b/x.stk", "x.zarr", "y.lmdb")) {
            Path output = source.resolve(name);
            write(output.resolveSibling(output.getFileName() + ".partial.journal"), "");
            write(output.resolveSibling(output.getFileName() + ".stkx.partial"), "");
            assertThat(Ending.of("pack", source, "-o", output, "--resume")).satisfies(done -> {
                assertThat(done.err()).isEmpty();
                assertThat(done.out()).contains("3 samples");
            });
            for (String how : List.of("--force", "--resume")) {
                assertThat(Ending.of("pack", source, "-o", output, how)).satisfies(done -> {
                    assertThat(done.err()).isEmpty();
                    assertThat(done.out()).contains("3 samples");
                });
            }
            assertThat(Ending.of("verify", output, "--against", source).code()).isZero();
            delete(output);
            delete(output.resolveSibling(output.getFileName() + ".stkx"));
            delete(output.resolveSibling(output.getFileName() + ".stkx.partial"));
            delete(output.resolveSibling(output.getFileName() + ".partial.journal"));
        }
    }

    private static void delete(Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    @Test
    void aJournalThatSaysNothingDoesNoHarm() throws IOException {
        Path packed = packed("x.stk");
        Path journal = Files.createFile(folder.resolve("x.stk.partial.journal"));
        assertThat(Ending.of("pack", source, "-o", packed, "--resume").out())
                .contains("everything was already written");
        assertThat(journal).doesNotExist();
        Files.createFile(journal);
        write(source.resolve("c/3.bin"), "more");
        assertThat(Ending.of("pack", source, "-o", packed, "--resume").err()).contains("holds other samples");
        write(folder.resolve("x.stk.partial"), "half");
        refused("use --resume --force to continue that", "pack", source, "-o", packed, "--resume");
    }

    @Test
    void anUnfinishedPackIsNoFolderOfFiles() throws IOException {
        Path lmdb = folder.resolve("x.lmdb");
        write(lmdb.resolve("data.mdb.partial"), "half");
        refused("should be a container of format lmdb", "verify", lmdb);
        write(lmdb.resolve("data.mdb.partial.journal"), "");
        refused("holds an unfinished pack (data.mdb.partial.journal)", "verify", lmdb);
        refused("should be a container of format lmdb", "pack", lmdb, "-o", folder.resolve("y.stk"));
        refused("should be a container of format lmdb", "feed", lmdb, "--print", "key");
        Path partial =
                write(folder.resolve("loose.partial/a/0.bin"), "").getParent().getParent();
        write(folder.resolve("loose.partial.journal"), "");
        refused("is an unfinished pack (loose.partial.journal)", "verify", partial);
        refused("is an unfinished pack (loose.partial.journal)", "pack", partial, "-o", folder.resolve("y.stk"));
        refused("is an unfinished pack (loose.partial.journal)", "feed", partial, "--print", "key");
        write(source.resolve("x.stk.partial"), "half");
        write(source.resolve("x.stk.partial.journal"), "");
        refused("holds an unfinished pack (x.stk.partial.journal)", "pack", source, "-o", folder.resolve("y.stk"));
        assertThat(Ending.of("pack", source, "-o", source.resolve("x.stk"), "--force")
                        .out())
                .contains("3 samples");
        Files.delete(source.resolve("x.stk"));

        Path zarr = packed("z.zarr");
        Files.delete(folder.resolve("z.zarr.stkx"));
        assertThat(Ending.of("pack", zarr, "-o", folder.resolve("z.stk")).out()).contains("3 samples");
        Files.delete(zarr.resolve("zarr.json"));
        refused("should be a container of format zarr", "verify", zarr);
        refused("should be a container of format zarr", "pack", zarr, "-o", folder.resolve("y.stk"));
    }

    @Test
    void aFolderWhoseIndexIsDamagedIsNotWrittenOver() throws IOException {
        Path loose = folder.resolve("loose");
        assertThat(Ending.of("pack", source, "-o", loose, "--format", "folder").err())
                .isEmpty();
        write(folder.resolve("loose.stkx"), "no Index");
        refused(
                "contents cannot be identified ([loose.stkx]",
                "pack",
                source,
                "-o",
                loose,
                "--format",
                "folder",
                "--force");
    }

    @Test
    void filesThatWereAddedAreNotPassedOver() throws IOException {
        Path loose = folder.resolve("loose");
        assertThat(Ending.of("pack", source, "-o", loose, "--format", "folder").err())
                .isEmpty();
        assertThat(Ending.of("verify", loose).out()).contains("intact");
        Path packed = folder.resolve("x.stk");
        assertThat(Ending.of("pack", loose, "-o", packed).err()).isEmpty();
        write(loose.resolve("c/new"), "new");
        write(loose.resolve("c/newer"), "new");
        String unknown = "[" + loose + "] has 2 files that its Index does not know, such as c/new";
        assertThat(Ending.of("verify", loose)).satisfies(done -> {
            assertThat(done.code()).isEqualTo(1);
            assertThat(done.out()).contains(unknown);
        });
        refused(unknown + "; move them away, or delete loose.stkx", "pack", loose, "-o", folder.resolve("y.stk"));
        refused(unknown, "convert", loose, "-o", folder.resolve("y.stk"));
        refused(unknown, "verify", packed, "--against", loose);
    }
}
