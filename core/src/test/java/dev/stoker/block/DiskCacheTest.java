package dev.stoker.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskCacheTest {
    private static final int BYTES = 10_000;

    @TempDir
    Path folder;

    private DiskCache cache(String size) {
        return Objects.requireNonNull(DiskCache.of(folder.resolve("cache") + ":" + size));
    }

    private static MemorySegment block(int number) {
        var bytes = new byte[BYTES];
        new java.util.SplittableRandom(number).nextBytes(bytes);
        return MemorySegment.ofArray(bytes);
    }

    private File[] files() {
        return Objects.requireNonNull(folder.resolve("cache").toFile().listFiles());
    }

    @Test
    void blocksComeBack() {
        DiskCache cache = cache("1M");
        assertThat(cache.find("a", 1, BYTES)).isNull();
        cache.keep("a", 1, block(1));
        MemorySegment found = cache("1M").find("a", 1, BYTES);
        assertThat(Objects.requireNonNull(found).toArray(ValueLayout.JAVA_BYTE))
                .isEqualTo(block(1).toArray(ValueLayout.JAVA_BYTE));
        assertThat(cache.find("a", 2, BYTES)).isNull();
        assertThat(cache.find("b", 1, BYTES)).isNull();
    }

    @Test
    void damagedBlocksAreNotThere() throws IOException {
        DiskCache cache = cache("1M");
        cache.keep("a", 1, block(1));
        Path file = files()[0].toPath();
        byte[] bytes = Files.readAllBytes(file);
        bytes[77] ^= 1;
        Files.write(file, bytes);
        assertThat(cache.find("a", 1, BYTES)).isNull();
        assertThat(cache.find("a", 1, BYTES - 1)).isNull();
    }

    @Test
    void itStaysSmallAndKeepsWhatWasUsedLast() {
        DiskCache cache = cache("100k");
        for (int i = 0; i < 100; i++) {
            cache.keep("a", i, block(i));
        }
        long sum = Arrays.stream(files()).mapToLong(File::length).sum();
        assertThat(sum).isBetween(50L << 10, 110L << 10);
        assertThat(cache.find("a", 99, BYTES)).isNotNull();
        assertThat(cache.find("a", 0, BYTES)).isNull();
    }

    @Test
    void aFolderThatOthersCanWriteIsRefused() throws IOException {
        Files.createDirectory(
                folder.resolve("cache"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        assertThatThrownBy(() -> cache("1M")).hasMessageContaining("should belong to you and have mode 700");
    }

    @Test
    void settingsThatMeanNothing() {
        assertThat(DiskCache.of("")).isNull();
        assertThatThrownBy(() -> DiskCache.of("/tmp"))
                .hasMessage("STOKER_CACHE should be DIR:SIZE, such as /local/cache:100G, but is '/tmp'");
    }
}
