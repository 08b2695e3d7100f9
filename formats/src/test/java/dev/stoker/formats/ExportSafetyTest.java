package dev.stoker.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.format.Capability;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.sample.Samples;
import dev.stoker.write.Packer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a container calls its samples, export touches nothing outside of its target. */
class ExportSafetyTest {
    private static final List<String> LEAVING =
            List.of("../out", "/tmp/stoker-out", "a/../../out", "./x/../../out", "..");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private void export(Samples samples, Path target) {
        var how = new Packer.Settings(FormatOptions.NONE, 2, false, false, false);
        new Packer(samples, Formats.named("folder"), target, how, new Progress())
                .withoutIndex()
                .run();
    }

    private void assertRefused(Container container, String name) throws IOException {
        Path target = folder.resolve("target");
        assertThatThrownBy(() -> export(container, target))
                .as("'%s' in %s", name, container.path())
                .isInstanceOf(StokerException.class)
                // tar drops "./" at the beginning of a name.
                .hasMessageContaining(name.startsWith("./") ? name.substring(2) : name);
        assertThat(target).doesNotExist();
        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(Path.of("/tmp/stoker-out")).doesNotExist();
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.map(p -> p.getFileName().toString())).noneMatch(p -> p.startsWith("target"));
        }
    }

    /** A format refuses such keys when it is written, or they are refused when it is exported. */
    @Test
    void keysThatLeaveTheFolderAreNeverExported() throws IOException {
        for (Format format : Formats.all()) {
            for (String name : LEAVING) {
                Path place = folder.resolve("hostile"
                        + (format.extensions().isEmpty()
                                ? ""
                                : "." + format.extensions().getFirst()));
                try {
                    Trees.pack(format, Trees.samples(Map.of(name, "x")), place);
                } catch (StokerException e) {
                    continue;
                }
                try (Container container = Container.open(place)) {
                    assertRefused(container, name);
                }
            }
        }
        assertThat(Formats.named("lmdb").can(Capability.ANY_FIELDS)).isTrue();
    }

    /** Every slash of a key asks whether a file is where it needs a folder; that must not take longer the more there are. */
    @Test
    void keysOfVeryManyFoldersAreRefusedAtOnce() {
        Samples deep = Trees.samples(Map.of("a/".repeat(500_000) + "b", "x"));
        for (String format : List.of("folder", "zip", "squashfs")) {
            assertTimeoutPreemptively(
                    Duration.ofSeconds(10),
                    () -> assertThatThrownBy(() -> Formats.named(format).plan(deep, FormatOptions.NONE))
                            .hasMessage("format " + format + " cannot hold the key '" + "a/".repeat(32)
                                    + "…': a path has at most 4095 bytes, this one has 1000001"));
        }
    }

    /** The longest path that is allowed, and one in which a file stands where the other needs a folder. */
    @Test
    void longKeysAreComparedWhole() {
        String longest = "a/".repeat(2047) + "b";
        assertThat(Formats.named("folder").plan(Trees.samples(Map.of(longest, "x")), FormatOptions.NONE))
                .isNotNull();
        assertThatThrownBy(() -> Formats.named("folder")
                        .plan(Trees.samples(Map.of(longest, "x", longest.substring(0, 4001), "y")), FormatOptions.NONE))
                .hasMessageContaining("the first would be a file and a folder");
    }

    @Test
    void namesInArchivesByOthersAreNeverExported() throws Exception {
        String script = """
                import io, sys, tarfile, zipfile
                name, place = sys.argv[1:]
                with zipfile.ZipFile(place + '.zip', 'w') as z: z.writestr(zipfile.ZipInfo(name), b'x')
                with tarfile.open(place + '.tar', 'w') as t:
                    link = tarfile.TarInfo('sub'); link.type = tarfile.SYMTYPE; link.linkname = '../../out'; t.addfile(link)
                    info = tarfile.TarInfo(name); info.size = 1; t.addfile(info, io.BytesIO(b'x'))
                """;
        for (String name : LEAVING) {
            Trees.run(
                    folder,
                    "python3",
                    "-c",
                    script,
                    name,
                    folder.resolve("hostile").toString());
            for (String ending : List.of(".zip", ".tar")) {
                try (Container container = Trees.openAnew(folder.resolve("hostile" + ending))) {
                    assertRefused(container, name);
                } catch (StokerException e) {
                    assertThat(e).hasMessageContaining("hostile" + ending);
                }
            }
        }
    }

    /** A file "sub/x" behind a link "sub" is written below the target, not where the link points. */
    @Test
    void linksAreNotWrittenThrough() throws Exception {
        Files.createDirectory(folder.resolve("outside"));
        String script = """
                import io, tarfile, zipfile
                with tarfile.open('links.tar', 'w') as t:
                    link = tarfile.TarInfo('sub'); link.type = tarfile.SYMTYPE; link.linkname = '../outside'; t.addfile(link)
                    info = tarfile.TarInfo('sub/x'); info.size = 1; t.addfile(info, io.BytesIO(b'x'))
                with zipfile.ZipFile('links.zip', 'w') as z:
                    link = zipfile.ZipInfo('sub'); link.create_system = 3; link.external_attr = 0o120777 << 16
                    z.writestr(link, '../outside'); z.writestr('sub/x', b'x')
                """;
        Trees.run(folder, "python3", "-c", script);
        for (String name : List.of("links.tar", "links.zip")) {
            Path target = folder.resolve("target-of-" + name);
            try (Container container = Trees.openAnew(folder.resolve(name))) {
                export(container, target);
            }
            assertThat(Trees.read(target)).isEqualTo(Map.of("sub/x", "x"));
            assertThat(Files.isSymbolicLink(target.resolve("sub"))).isFalse();
            assertThat(folder.resolve("outside")).isEmptyDirectory();
        }
    }
}
