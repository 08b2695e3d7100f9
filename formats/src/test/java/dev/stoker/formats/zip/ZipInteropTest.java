package dev.stoker.formats.zip;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.container.Container;
import dev.stoker.formats.Trees;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.testkit.MemorySamples;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** unzip, Python's zipfile and Java read what Stoker wrote, and the other way round. */
class ZipInteropTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private Path ours(SortedMap<String, String> files) {
        return Trees.pack(new ZipFormat(), Trees.samples(files), folder.resolve("ours.zip"));
    }

    @Test
    void unzipExtractsOurs() throws Exception {
        SortedMap<String, String> files = Trees.usual();
        // unzip puts another character for a line break in a name.
        files.remove("b/new\nline.jpg");
        Path archive = ours(files);
        assertThat(Trees.run(folder, "unzip", "-tq", archive.toString())).contains("No errors detected");
        Path out = Files.createDirectory(folder.resolve("out"));
        Trees.run(out, "unzip", "-q", archive.toString());
        assertThat(Trees.read(out)).isEqualTo(Trees.shown(files));
    }

    @Test
    void pythonsZipfileReadsOurs() throws Exception {
        Path archive = ours(Trees.usual());
        String script = """
                import sys, zipfile
                with zipfile.ZipFile(sys.argv[1]) as z:
                    assert z.testzip() is None
                    for i in z.infolist():
                        assert i.date_time == (1980, 1, 1, 0, 0, 0) and i.external_attr >> 16 == 0o100644, i
                    z.extractall(sys.argv[2])
                """;
        Path out = Files.createDirectory(folder.resolve("out"));
        Trees.run(folder, "python3", "-c", script, archive.toString(), out.toString());
        assertThat(Trees.read(out)).isEqualTo(Trees.shown(Trees.usual()));
    }

    @Test
    void javaReadsOurs() throws Exception {
        Path archive = ours(Trees.usual());
        var found = new TreeMap<String, String>();
        try (var zip = new ZipFile(archive.toFile())) {
            for (ZipEntry entry : zip.stream().map(ZipEntry.class::cast).toList()) {
                byte[] content = zip.getInputStream(entry).readAllBytes();
                found.put(entry.getName(), Trees.shown(content));
                var crc = new CRC32();
                crc.update(content);
                assertThat(entry.getCrc()).isEqualTo(crc.getValue());
            }
        }
        assertThat(found).isEqualTo(Trees.shown(Trees.usual()));
    }

    /** So many that their number does not fit into the plain end. */
    @Test
    void manyMembersAreFoundByOthersAndByUs() throws Exception {
        var samples = MemorySamples.of(
                new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, new FieldType.Bytes()));
        for (int i = 0; i < 100_000; i++) {
            samples.add("%03d/%06d.txt".formatted(i % 1000, i), new byte[] {(byte) i});
        }
        Path archive = Trees.pack(new ZipFormat(), samples.build(), folder.resolve("many.zip"));
        String script = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(len(z.infolist()), z.testzip())";
        assertThat(Trees.run(folder, "python3", "-c", script, archive.toString()))
                .isEqualTo("100000 None\n");
        try (Container container = Trees.openAnew(archive)) {
            assertThat(container.count()).isEqualTo(100_000);
        }
    }

    @Test
    void weReadWhatZipWrote() throws Exception {
        Path tree = Trees.write(Files.createDirectory(folder.resolve("tree")), Trees.usual());
        Trees.run(tree, "zip", "-0qr", "../theirs.zip", ".");
        assertHolds(folder.resolve("theirs.zip"), Trees.usual());
        Trees.run(tree, "zip", "-9qr", "../deflated.zip", ".");
        assertHolds(folder.resolve("deflated.zip"), Trees.usual());
        Trees.run(tree, "zip", "-0q", "../comment.zip", "a.jpg");
        Trees.run(folder, "python3", "-c", """
                import zipfile
                with zipfile.ZipFile('comment.zip', 'a') as z: z.comment = b'PK\\5\\6' * 100
                """);
        assertHolds(folder.resolve("comment.zip"), new TreeMap<>(Map.of("a.jpg", "content of a.jpg")));
    }

    @Test
    void weReadWhatPythonWrote() throws Exception {
        Path tree = Trees.write(Files.createDirectory(folder.resolve("tree")), Trees.usual());
        // To a pipe: sizes come in descriptors; then with zip64 where it is not needed.
        String script = """
                import io, os, sys, zipfile
                class Pipe(io.RawIOBase):
                    def __init__(self, f): self.f = f
                    def writable(self): return True
                    def write(self, b): return self.f.write(b)
                def add(z, wide):
                    for folder, _, names in os.walk('.'):
                        for name in names:
                            path = os.path.relpath(os.path.join(folder, name))
                            with z.open(zipfile.ZipInfo(path), 'w', force_zip64=wide) as m: m.write(open(path, 'rb').read())
                with open('../pipe.zip', 'wb') as f, zipfile.ZipFile(Pipe(f), 'w') as z: add(z, False)
                with zipfile.ZipFile('../wide.zip', 'w') as z: add(z, True)
                """;
        Trees.run(tree, "python3", "-c", script);
        assertHolds(folder.resolve("pipe.zip"), Trees.usual());
        assertHolds(folder.resolve("wide.zip"), Trees.usual());
    }

    @Test
    void weReadWhatJavaWrote() throws Exception {
        Path archive = folder.resolve("theirs.zip");
        try (var out = new ZipOutputStream(Files.newOutputStream(archive))) {
            out.setMethod(ZipOutputStream.STORED);
            for (Map.Entry<String, String> file : Trees.usual().entrySet()) {
                byte[] content = file.getValue().getBytes(StandardCharsets.UTF_8);
                var crc = new CRC32();
                crc.update(content);
                var entry = new ZipEntry(file.getKey());
                entry.setSize(content.length);
                entry.setCrc(crc.getValue());
                out.putNextEntry(entry);
                out.write(content);
            }
        }
        assertHolds(archive, Trees.usual());
    }

    private static void assertHolds(Path archive, SortedMap<String, String> files) throws Exception {
        try (Container container = Trees.openAnew(archive)) {
            assertThat(container.format()).isEqualTo("zip");
            assertThat(Trees.contents(container)).isEqualTo(Trees.shown(files));
        }
    }
}
