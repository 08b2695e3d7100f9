package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.index.ContainerIdentity;
import dev.stoker.index.Index;
import dev.stoker.io.MappedFile;
import dev.stoker.os.LocalSocket;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Which Index a container gets. */
class SidecarTest {
    private static final int SOMEBODY = 12_345;

    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    private Workshop shop;
    private Path place;

    @BeforeEach
    void pack() {
        shop = new Workshop(new PlainFormat(), FormatOptions.NONE, folder, seed.random());
        place = shop.pack(samples("one"), "set");
    }

    private static MemorySamples samples(String data) {
        return MemorySamples.of(
                        new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, new FieldType.Bytes()))
                .add("a/1.jpg", data)
                .add("a/2.jpg", data + data)
                .build();
    }

    @Test
    void aCopiedPairStaysValid() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        Path copy = Files.copy(place, other.resolve("renamed.plain"));
        Files.copy(Sidecar.beside(place), Sidecar.beside(copy));
        Files.setLastModifiedTime(copy, FileTime.fromMillis(0));
        try (Container container = Container.open(copy)) {
            assertThat(container.index().isPacked()).isTrue();
            Same.assertSame(container, samples("one"));
        }
    }

    @Test
    void anotherUsersIndexInTheCacheIsPassedOver() throws IOException {
        assumeTrue(LocalSocket.user() == 0, "only root can give files away");
        assumeTrue(System.getenv("XDG_CACHE_HOME") == null, "the cache is somewhere else");
        String home = System.getProperty("user.home");
        System.setProperty("user.home", folder.toString());
        try {
            Path cache = Files.createDirectories(folder.resolve(".cache/stoker"));
            UUID name = UUID.nameUUIDFromBytes(place.toString().getBytes(StandardCharsets.UTF_8));
            Path cached = cache.resolve(place.getFileName() + "-" + name + Sidecar.ENDING);
            Files.move(Sidecar.beside(place), cached);
            assertThat(Sidecar.isThere(place)).isTrue();
            Files.setAttribute(cached, "unix:uid", SOMEBODY);
            assertThat(Sidecar.isThere(place)).isFalse();
            Files.setAttribute(place, "unix:uid", SOMEBODY);
            assertThat(Sidecar.isThere(place)).isTrue();
        } finally {
            System.setProperty("user.home", home);
        }
    }

    @Test
    void aReplacedContainerDoesNotLoseItsChecksumsSilently() {
        byte[] sidecar = Workshop.read(Sidecar.beside(place));
        ContainerIdentity expected = ContainerIdentity.of(place);
        Path other = shop.pack(samples("four"), "other");
        Workshop.write(place, Workshop.read(other));
        ContainerIdentity found = ContainerIdentity.of(place);
        assertThatThrownBy(() -> Container.open(place))
                .isInstanceOf(StokerException.class)
                .hasMessage(
                        "[" + place + "] does not match its Index set.plain.stkx, which holds checksums from packing:"
                                + " it should have 49 bytes and hash "
                                + expected.sha256().substring(0, 12)
                                + " but has 52 bytes and hash " + found.sha256().substring(0, 12)
                                + ". The container was changed or replaced; if that was intended, make a new Index with: stoker"
                                + " index --force " + place);
        assertThat(Sidecar.beside(place)).hasBinaryContent(sidecar);
    }

    @Test
    void aDerivedSidecarIsReplacedSilently() {
        Workshop.delete(Sidecar.beside(place));
        try (Container container = Container.open(place)) {
            assertThat(container.index().isPacked()).isFalse();
            assertThat(container.column(0).hasChecksums()).isFalse();
        }
        assertThat(Sidecar.beside(place)).exists();
        Path other = shop.pack(samples("four"), "other");
        Workshop.write(place, Workshop.read(other));
        try (Container container = Container.open(place)) {
            Same.assertSameFields(
                    container, samples("four"), field -> field.name().equals(Field.DATA));
        }
        try (Index kept = Index.open(Sidecar.beside(place))) {
            assertThat(kept.identity()).isEqualTo(ContainerIdentity.of(place));
        }
    }

    @Test
    void aContainerFromTheFutureIsLookedThroughOnce() throws IOException {
        Workshop.delete(Sidecar.beside(place));
        Files.setLastModifiedTime(place, FileTime.from(Instant.now().plus(1, ChronoUnit.DAYS)));
        Container.open(place).close();
        assertThat(Sidecar.isThere(place)).isTrue();
        Files.setLastModifiedTime(place, FileTime.from(Instant.now().plus(2, ChronoUnit.DAYS)));
        assertThat(Sidecar.isThere(place)).isFalse();
    }

    @Test
    void aDamagedSidecarIsNamed() {
        Path sidecar = Sidecar.beside(place);
        byte[] bytes = Workshop.read(sidecar);
        bytes[30] ^= 1;
        Workshop.write(sidecar, bytes);
        assertThatThrownBy(() -> Container.open(place))
                .isInstanceOf(StokerException.class)
                .hasMessage(
                        "[set.plain.stkx] byte 0: the header's checksum does not match; the file is damaged. It is the"
                                + " Index of [" + place
                                + "]; if it holds no checksums that you need, rebuild it with: stoker"
                                + " index --force " + place);
    }

    @Test
    void checksumsCanBeHadLater() {
        Workshop.delete(Sidecar.beside(place));
        try (MappedFile file = MappedFile.open(place)) {
            Sidecar.derive(new PlainFormat(), file, ContainerIdentity.of(place), true)
                    .close();
        }
        try (Container container = Container.open(place)) {
            assertThat(container.index().isPacked()).isFalse();
            assertThat(container.column(0).hasChecksums()).isTrue();
            assertThat(Same.isIntact(container)).isTrue();
        }
    }

    @Test
    void checksumsThatWereAskedForAreKept() throws IOException {
        Workshop.delete(Sidecar.beside(place));
        try (MappedFile file = MappedFile.open(place)) {
            Sidecar.derive(new PlainFormat(), file, ContainerIdentity.of(place), true)
                    .close();
        }
        Files.setLastModifiedTime(Sidecar.beside(place), FileTime.fromMillis(0)); // a copy of both, in another order
        try (Container container = Container.open(place)) {
            assertThat(container.column(0).hasChecksums()).isTrue();
        }
        Workshop.write(place, Workshop.read(shop.pack(samples("four"), "other")));
        assertThatThrownBy(() -> Container.open(place))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("does not match its Index set.plain.stkx, which holds checksums: it should have");
    }

    @Test
    void theIndexOfACopyIsAsYoungAsThatOfTheOriginal() throws IOException {
        Workshop.delete(Sidecar.beside(place));
        Container.open(place).close();
        Path copy = folder.resolve("copy.plain");
        Files.copy(Sidecar.beside(place), Sidecar.beside(copy));
        Files.setLastModifiedTime(Sidecar.beside(copy), FileTime.fromMillis(0));
        Files.copy(place, copy);
        Sidecar.dateCopy(place, copy);
        assertThat(Sidecar.isThere(copy)).isTrue();
        Files.setLastModifiedTime(Sidecar.beside(copy), FileTime.fromMillis(0));
        Files.setLastModifiedTime(Sidecar.beside(place), FileTime.fromMillis(0));
        Sidecar.dateCopy(place, copy);
        assertThat(Sidecar.isThere(copy)).isFalse();
    }

    /** Beside a file below /proc nobody may write, not even the superuser who runs tests in a container. */
    @Test
    void whereNothingCanBeWrittenTheIndexIsKeptInTheCache() throws Exception {
        Workshop.delete(Sidecar.beside(place));
        Path cache = Files.createDirectory(folder.resolve("cache"));
        assertThat(openElsewhere(cache)).isEqualTo("2 samples");
        try (Stream<Path> kept = Files.list(cache.resolve("stoker"))) {
            assertThat(kept.map(path -> path.getFileName().toString()).toList())
                    .singleElement()
                    .asString()
                    .endsWith(Sidecar.ENDING);
        }
        assertThat(openElsewhere(cache)).isEqualTo("2 samples");
    }

    @Test
    void whereNothingCanBeWrittenAtAllTheIndexStaysInMemory() throws Exception {
        Workshop.delete(Sidecar.beside(place));
        Path noFolder = Files.writeString(folder.resolve("no-folder"), "");
        assertThat(openElsewhere(noFolder)).isEqualTo("2 samples");
    }

    private String openElsewhere(Path cache) throws Exception {
        var command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                OpenBelowProc.class.getName(),
                place.toString());
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("XDG_CACHE_HOME", cache.toString());
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return printed.strip();
    }

    /** Opens a container by the name that the system has for an open file. */
    static final class OpenBelowProc {
        private OpenBelowProc() {}

        public static void main(String[] arguments) throws IOException {
            Path place = Path.of(arguments[0]);
            try (var held = new FileInputStream(place.toFile());
                    Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
                Path below =
                        files.filter(file -> leadsTo(file, place)).findFirst().orElseThrow();
                try (Container container = Container.open(below)) {
                    System.out.println(container.count() + " samples");
                }
            }
        }

        private static boolean leadsTo(Path file, Path place) {
            try {
                return Files.readSymbolicLink(file).equals(place.toRealPath());
            } catch (IOException e) {
                return false;
            }
        }
    }

    /** A pair that is being copied, container first: to open it must not cost its checksums. */
    @Test
    void anIndexThatComesWhileOneIsDerivedStays() throws IOException {
        Path beside = Sidecar.beside(place);
        byte[] packed = Files.readAllBytes(beside);
        Files.delete(beside);
        Format copiedMeanwhile = (Format) Proxy.newProxyInstance(
                Format.class.getClassLoader(), new Class<?>[] {Format.class}, (proxy, method, words) -> {
                    Object answer = method.invoke(new PlainFormat(), words);
                    if (method.getName().equals("derive")) {
                        Files.write(beside, packed);
                    }
                    return answer;
                });
        try (MappedFile file = MappedFile.open(place);
                Index index = Sidecar.load(copiedMeanwhile, file)) {
            assertThat(index.isPacked()).isTrue();
        }
        assertThat(beside).hasBinaryContent(packed);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).noneMatch(path -> path.toString().contains(".partial"));
        }
    }
}
