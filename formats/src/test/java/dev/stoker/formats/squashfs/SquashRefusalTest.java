package dev.stoker.formats.squashfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.format.FormatOptions;
import dev.stoker.formats.Trees;
import dev.stoker.formats.folder.FolderFormat;
import dev.stoker.testkit.Same;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is damaged, hostile or not supported is refused by name. */
class SquashRefusalTest {
    /** Places in the inode table of the small image: two files with one block each, the folders a and b, the root. */
    private static final int FILE_INODE = 36;

    /** Places in its directory table: the names of a and of b, and those of the root. */
    private static final int LISTING = 12 + 8 + 2;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private Path image = Path.of("");
    private byte[] bytes = new byte[0];
    private int inodes;
    private int names;

    @BeforeEach
    void makeSmallImage() throws IOException {
        var files = new TreeMap<>(Map.of("a/xx", "0123456789", "b/yy", "abcdefghij"));
        image = Trees.pack(new SquashFormat(), Trees.samples(files), folder.resolve("small.sqsh"));
        bytes = Files.readAllBytes(image);
        ByteBuffer superblock = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        inodes = Math.toIntExact(superblock.getLong(64)) + MetadataStream.HEADER;
        names = Math.toIntExact(superblock.getLong(72)) + MetadataStream.HEADER;
    }

    private void assertRefused(Class<?> kind, Path place, String... reasons) {
        var refused = assertThatThrownBy(() -> Trees.openAnew(place).close()).isInstanceOf(kind);
        refused.hasMessageContaining(String.valueOf(place.getFileName()));
        for (String reason : reasons) {
            refused.hasMessageContaining(reason);
        }
    }

    private void assertDamageIsNoticed(Consumer<ByteBuffer> damage, String... reasons) throws IOException {
        byte[] damaged = bytes.clone();
        damage.accept(ByteBuffer.wrap(damaged).order(ByteOrder.LITTLE_ENDIAN));
        Files.write(image, damaged);
        assertRefused(CorruptContainerException.class, image, reasons);
    }

    @Test
    void theSmallImageIsReadIfNothingIsWrongWithIt() throws Exception {
        try (Container container = Trees.openAnew(image)) {
            assertThat(Trees.contents(container)).containsOnlyKeys("a/xx", "b/yy");
        }
    }

    @Test
    void foldersThatContainThemselvesOrShareNamesAreRefused() throws IOException {
        int a = inodes + 2 * FILE_INODE;
        assertDamageIsNoticed(
                b -> b.putShort(a + 24, (short) 100).putShort(a + 26, (short) (2 * LISTING)),
                "'a/'",
                "contains itself");
        assertDamageIsNoticed(
                b -> b.putShort(a + 24, (short) (2 * LISTING + 3)).putShort(a + 26, (short) 0), "'a/'", "shares");
        assertDamageIsNoticed(b -> b.putShort(a + 24, (short) 2), "at least 3 bytes but have 2");
        assertDamageIsNoticed(b -> b.putShort(a + 24, (short) 20), "'a/'");
        assertDamageIsNoticed(b -> b.putInt(a + 16, Integer.MAX_VALUE), "metadata block");
        assertDamageIsNoticed(b -> b.putShort(a + 26, (short) 8000), "byte 8000 of this metadata block");
    }

    @Test
    void namesThatAreNoneAreRefused() throws IOException {
        int name = names + 12 + 8;
        assertDamageIsNoticed(b -> b.put(name, (byte) '.').put(name + 1, (byte) '.'), "'a/..'", "is not a file name");
        assertDamageIsNoticed(b -> b.put(name, (byte) '/'), "is not a file name");
        assertDamageIsNoticed(b -> b.put(name, (byte) 0), "is not a file name");
        assertDamageIsNoticed(b -> b.putShort(names + 12 + 6, (short) -1), "too long");
        assertDamageIsNoticed(b -> b.putInt(names, 256), "a header of 257 names");
        assertDamageIsNoticed(b -> b.putShort(names + 12 + 2, (short) 5), "should have inode 6 but has 1");
        byte[] latin = bytes.clone();
        latin[name] = (byte) 0xe4;
        Files.write(image, latin);
        assertRefused(StokerException.class, image, "'a/äx'", "not UTF-8");
    }

    private Path hostile(int names, String how) throws Exception {
        Path made = folder.resolve("hostile.sqsh");
        Path script = Path.of(System.getProperty("stoker.root"), "formats/src/test/python/squashfs_hostile.py");
        Trees.run(folder, "python3", script.toString(), made.toString(), String.valueOf(names), how);
        return made;
    }

    @Test
    void namesThatComeTwiceAreRefused() throws Exception {
        assertRefused(
                CorruptContainerException.class,
                hostile(30_000, "twice"),
                "should have its names sorted, and each once, but has 'f' after 'f'");
    }

    /** Each of 8 bytes or less stands for a path of 3.8 KB. */
    @Test
    void namesAreCountedWithTheirPaths() throws Exception {
        Path many = hostile(120_000, "once");
        assertThat(Files.size(many)).isLessThan(400 << 10);
        assertRefused(CorruptContainerException.class, many, "has more names, with those of the folders before it");
        try (Container container = Trees.openAnew(hostile(1000, "once"))) {
            assertThat(container.count()).isEqualTo(1000);
        }
    }

    /** Several names of one inode. */
    @Test
    void hardLinksAreSamples() throws Exception {
        Path tree = Files.createDirectory(folder.resolve("tree"));
        Files.writeString(tree.resolve("a"), "text");
        var expected = new TreeMap<>(Map.of("a", "text"));
        for (int i = 0; i < 300; i++) {
            Files.createLink(tree.resolve("link " + i), tree.resolve("a"));
            expected.put("link " + i, "text");
        }
        try (Container container = Trees.openAnew(theirs(tree))) {
            assertThat(Trees.contents(container)).isEqualTo(expected);
        }
    }

    @Test
    void filesThatLieNowhereAreRefused() throws IOException {
        assertDamageIsNoticed(b -> b.putShort(inodes, (short) 99), "type 99");
        assertDamageIsNoticed(b -> b.putInt(inodes + 16, 1), "'a/xx'", "the data ends at byte");
        assertDamageIsNoticed(b -> b.putInt(inodes + 16, inodes), "'a/xx'");
        assertDamageIsNoticed(b -> b.putInt(inodes + 20, 0), "fragment 0, but there are 0");
        assertDamageIsNoticed(b -> b.putInt(inodes + 28, 11), "'a/xx'", "11 bytes");
        assertDamageIsNoticed(b -> b.putInt(inodes + 28, -1), "'a/xx'");
        assertDamageIsNoticed(b -> b.putInt(names + 4, 4711), "the inode table ends");
    }

    @Test
    void theSuperblockIsNotBelievedAlone() throws IOException {
        assertDamageIsNoticed(b -> b.putInt(12, 100), "block size");
        assertDamageIsNoticed(b -> b.putLong(40, Long.MAX_VALUE), "truncated");
        assertDamageIsNoticed(b -> b.putLong(64, -1), "inode table at -1");
        assertDamageIsNoticed(b -> b.putLong(72, 1L << 40), "directory table at");
        assertDamageIsNoticed(b -> b.putLong(48, 0), "id table");
        assertDamageIsNoticed(b -> b.putInt(16, 1).putLong(80, Long.MAX_VALUE), "table of 1 fragments");
        assertDamageIsNoticed(b -> b.putInt(16, -1), "table of 4294967295 fragments");
        assertDamageIsNoticed(b -> b.putLong(32, 0), "root should be a folder but is a file");
        assertDamageIsNoticed(b -> b.putLong(32, -1), "inode");
        byte[] old = bytes.clone();
        old[28] = 3;
        Files.write(image, old);
        assertRefused(StokerException.class, image, "SquashFS 3.0");
    }

    @Test
    void metadataThatCannotBeDecompressedIsRefused() throws IOException {
        for (int compressor : new int[] {1, 5, 6}) {
            assertDamageIsNoticed(
                    b -> b.put(20, (byte) compressor).put(inodes - 1, (byte) 0), "cannot be decompressed");
        }
        byte[] lzo = bytes.clone();
        lzo[20] = 3;
        lzo[inodes - 1] = 0;
        Files.write(image, lzo);
        assertRefused(StokerException.class, image, "compressed with lzo", "-noI");
    }

    @Test
    void holesAreZeros() throws Exception {
        Path tree = Files.createDirectory(folder.resolve("tree"));
        var bytes = new byte[300_000];
        bytes[299_999] = 1;
        Files.write(tree.resolve("holes"), bytes);
        for (String[] how : new String[][] {{"-noD", "-noF"}, {"-comp", "zstd"}}) {
            try (Container container = Trees.openAnew(theirs(tree, how))) {
                assertThat(Same.bytes(container, 0, 1)).isEqualTo(bytes);
            }
        }
    }

    /** Wherever a link points, nothing is followed and nothing is written for it. */
    @Test
    void onlyRegularFilesAreSamples() throws Exception {
        Path tree = Files.createDirectory(folder.resolve("tree"));
        Files.writeString(tree.resolve("text"), "text");
        Files.createSymbolicLink(tree.resolve("inside"), Path.of("text"));
        Files.createSymbolicLink(tree.resolve("outside"), Path.of("../../secret"));
        Files.createSymbolicLink(tree.resolve("absolute"), Path.of("/etc/passwd"));
        Trees.run(tree, "mkfifo", "pipe");
        try (Container container = Trees.openAnew(theirs(tree, "-noD", "-noF"))) {
            assertThat(Trees.contents(container)).isEqualTo(Map.of("text", "text"));
            Path target = Trees.pack(new FolderFormat(), container, folder.resolve("target"));
            assertThat(Trees.read(target)).isEqualTo(Map.of("text", "text"));
        }
    }

    @Test
    void damagedBlocksAreErrorsOfTheirSamplesAlone() throws Exception {
        Path tree = Files.createDirectory(folder.resolve("tree"));
        Files.writeString(tree.resolve("a"), "text ".repeat(100_000));
        Files.writeString(tree.resolve("b"), "else ".repeat(100_000));
        Path made = theirs(tree, "-comp", "zstd", "-b", "1M", "-no-fragments");
        byte[] damaged = Files.readAllBytes(made);
        // The first block begins behind the superblock, and with zstd's magic.
        damaged[Superblock.BYTES + 1] ^= 1;
        Files.write(made, damaged);
        try (Container container = Trees.openAnew(made)) {
            assertThatThrownBy(() -> container.value(0, 1))
                    .isInstanceOf(CorruptContainerException.class)
                    .hasMessageContaining("sample 0")
                    .hasMessageContaining("zstd");
            assertThat(container.value(1, 1).byteSize()).isEqualTo(500_000);
        }
    }

    private Path theirs(Path tree, String... options) throws Exception {
        Path made = folder.resolve("theirs.sqsh");
        Files.deleteIfExists(made);
        String[] command = {"mksquashfs", tree.toString(), made.toString(), "-quiet", "-no-progress"};
        var all = new ArrayList<>(List.of(command));
        all.addAll(List.of(options));
        Trees.run(folder, all.toArray(String[]::new));
        return made;
    }

    @Test
    void keysThatAreTooLongAreRefused() {
        String key = "folder/".repeat(600);
        assertThatThrownBy(() -> new SquashFormat()
                        .plan(Trees.samples(new TreeMap<>(Map.of(key + "x", "y"))), FormatOptions.NONE))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("at most 4095 bytes, this one has 4201");
    }
}
