package dev.stoker.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.Scratch;
import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.container.Container;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.listing.FolderSource;
import dev.stoker.listing.SourceFilter;
import dev.stoker.sample.Samples;
import dev.stoker.transform.RetypedSamples;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourcesTest {
    @TempDir
    private Path folder;

    private Scratch scratch = new Scratch(Path.of("."));

    @BeforeEach
    void begin() {
        scratch = new Scratch(folder);
        scratch.file("b/1.jpg", "b1");
        scratch.file("a/1.jpg", "a1");
    }

    /** A container of the source, without labels. */
    private Path container(String name) throws IOException {
        scratch.pack(FolderSource.list(scratch.src(), false, 1)).close();
        return Files.move(folder.resolve("out.stk"), folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    private void refused(SourceRequest request, String message) {
        refused(StokerException.class, request, message);
    }

    private void refused(Class<? extends StokerException> type, SourceRequest request, String message) {
        assertThatThrownBy(() -> Sources.open(request))
                .isExactlyInstanceOf(type)
                .hasMessage(message);
    }

    @Test
    void severalFoldersArePackedAsOne() {
        scratch.beside("more/c/1.jpg", "c1");
        scratch.beside("more/a/2.jpg", "a2");
        var requests = List.of(scratch.request(scratch.src()), scratch.request(folder.resolve("more")));
        try (Container container = scratch.pack(Sources.openAll(requests))) {
            assertThat(Scratch.texts(container, "key")).containsExactly("a/1.jpg", "b/1.jpg", "a/2.jpg", "c/1.jpg");
            assertThat(Scratch.longs(container, "label")).containsExactly(0L, 1L, 0L, 2L);
            assertThat(container.schema().classes()).containsExactly("a", "b", "c");
            assertThat(container.splits()).isEmpty();
        }
    }

    @Test
    void severalFoldersMayNotShareAKey() {
        scratch.beside("more/a/1.jpg", "another");
        var requests = List.of(scratch.request(scratch.src()), scratch.request(folder.resolve("more")));
        assertThatThrownBy(() -> Sources.openAll(requests))
                .isExactlyInstanceOf(StokerException.class)
                .hasMessage(folder.resolve("more") + ": 'a/1.jpg' has the key of a sample of " + scratch.src()
                        + "; rename one of the two, or make the sources splits (--split NAME=SRC)");
        assertThatThrownBy(() -> Sources.openAll(List.of(requests.getFirst(), requests.getFirst())))
                .hasMessage("[" + scratch.src() + "] is given twice; give each source once");
    }

    @Test
    void aFilterIsForFoldersAlone() throws IOException {
        var filter = SourceFilter.of(false, List.of("*.jpg"), List.of());
        Path container = container("c.stk");
        refused(
                UsageException.class,
                scratch.request(container).filtered(filter),
                "[" + container + "] is a container, whose samples are all packed; --include, --exclude and --hidden"
                        + " apply to the files of a folder");
    }

    @Test
    void aFolderIsListed() {
        try (Container container = scratch.pack(Sources.open(scratch.request(scratch.src())))) {
            assertThat(Scratch.data(container)).containsExactly("a1", "b1");
            assertThat(Scratch.longs(container, "label")).containsExactly(0L, 1L);
        }
    }

    @Test
    void aContainerWithoutLabelsGetsThoseOfItsFolders() throws IOException {
        Path source = container("source.stk");
        try (Container container = scratch.pack(Sources.open(scratch.request(source)))) {
            assertThat(Scratch.data(container)).containsExactly("a1", "b1");
            assertThat(Scratch.longs(container, "label")).containsExactly(0L, 1L);
            assertThat(container.schema().classes()).containsExactly("a", "b");
        }
        var unlabelled = new SourceRequest(source, null, false, null, 1, BadFilePolicy.refused());
        try (Samples samples = Sources.open(unlabelled)) {
            assertThat(samples.schema().find("label")).isEqualTo(-1);
        }
    }

    @Test
    void aContainerWithLabelsKeepsThem() {
        scratch.pack(RetypedSamples.of(Sources.open(scratch.request(scratch.src())), Map.of("label", "uint8"), 1))
                .close();
        try (Samples samples = Sources.open(scratch.request(folder.resolve("out.stk")))) {
            assertThat(Scratch.type(samples, "label")).isEqualTo("uint8");
            assertThat(samples.schema().classes()).containsExactly("a", "b");
        }
    }

    private static byte[] gzipped(byte[] plain) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        }
        return out.toByteArray();
    }

    @Test
    void aCompressedContainerIsDecompressedOnceAndCleanedUp() throws IOException {
        byte[] plain = Files.readAllBytes(container("source.stk"));
        byte[] half = gzipped(Arrays.copyOf(plain, plain.length / 2));
        byte[] rest = gzipped(Arrays.copyOfRange(plain, plain.length / 2, plain.length));
        byte[] both = Arrays.copyOf(half, half.length + rest.length);
        System.arraycopy(rest, 0, both, half.length, rest.length);
        Path compressed = Scratch.write(folder.resolve("source.stk.gz"), both);
        Path spool = folder.resolve("out.spool");
        try (Samples samples = Sources.open(scratch.request(compressed))) {
            assertThat(spool).exists();
            try (Container container = scratch.pack(samples)) {
                assertThat(Scratch.data(container)).containsExactly("a1", "b1");
                assertThat(Scratch.longs(container, "label")).containsExactly(0L, 1L);
            }
        }
        assertNoSpool();
    }

    @Test
    void compressedSplitsDoNotShareTheirSpool() throws IOException {
        Path one = Scratch.write(folder.resolve("one.stk.gz"), gzipped(Files.readAllBytes(container("source.stk"))));
        scratch.file("c/1.jpg", "c1");
        Path two = Scratch.write(folder.resolve("two.stk.gz"), gzipped(Files.readAllBytes(container("source.stk"))));
        var requests = new LinkedHashMap<String, SourceRequest>();
        requests.put("one", scratch.request(one));
        requests.put("two", scratch.request(two));
        try (Container container = scratch.pack(Sources.openSplits(requests))) {
            assertThat(Scratch.data(container)).containsExactly("a1", "b1", "a1", "b1", "c1");
        }
        assertNoSpool();
    }

    private void assertNoSpool() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(Path::getFileName).map(Path::toString)).noneMatch(name -> name.contains("spool"));
        }
    }

    @Test
    void damagedCompressedContainersAreNamedAndCleanedUp() throws IOException {
        byte[] whole = gzipped(Files.readAllBytes(container("source.stk")));
        Path cut = Scratch.write(folder.resolve("cut.tgz"), Arrays.copyOf(whole, whole.length - 20));
        refused(scratch.request(cut), "[" + cut + "] ends too early; the file is truncated");
        Path other = scratch.beside("other.tar.gz", "plain text");
        refused(scratch.request(other), "[" + other + "] cannot be read: Not in GZIP format");
        assertNoSpool();
        Path zstd = scratch.beside("other.tar.zst", "plain text");
        refused(
                scratch.request(zstd),
                "[" + zstd + "] .zst files cannot be decompressed here, only .gz, .tgz; decompress it first");
        Path text = Scratch.write(folder.resolve("text.gz"), gzipped(new byte[] {1, 2, 3}));
        refused(
                scratch.request(text),
                "[" + text
                        + "] the decompressed file is in no format that Stoker knows (stk); it begins with 01 02 03");
        assertNoSpool();
    }

    @Test
    void whatIsNoSourceIsNamed() {
        Path missing = folder.resolve("missing");
        refused(scratch.request(missing), "[" + missing + "] cannot be read: there is no such file or folder");
        Path text = scratch.beside("notes", "abc");
        refused(
                scratch.request(text),
                "[" + text + "] is in no format that Stoker knows (stk); it begins with 61 62 63");
        Path manifest = scratch.beside("m.json", "{}");
        refused(
                UsageException.class,
                new SourceRequest(text, manifest, true, null, 1, BadFilePolicy.refused()),
                "[" + text + "] is a file, but the manifest " + manifest
                        + " names files below a folder; give the folder, or leave out the manifest");
    }
}
