package dev.stoker.formats.zip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.formats.Trees;
import dev.stoker.formats.folder.FolderFormat;
import dev.stoker.formats.shared.zip.ZipRecords;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is damaged, hostile or not supported is refused by name. */
class ZipRefusalTest {
    private static final byte[] DATA = "0123456789".getBytes(StandardCharsets.UTF_8);
    private static final int LOCAL_BYTES = ZipRecords.LOCAL_BYTES + 1 + DATA.length + 16;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    /** Members a, b, ... with ten bytes each; the directory says where it is told to. */
    private static byte[] archive(long... headers) {
        var out = new ByteArrayOutputStream();
        for (int i = 0; i < headers.length; i++) {
            out.writeBytes(ZipRecords.local(name(i), DATA.length));
            out.writeBytes(DATA);
            out.writeBytes(ZipRecords.descriptor(0, DATA.length));
        }
        int directory = out.size();
        for (int i = 0; i < headers.length; i++) {
            out.writeBytes(ZipRecords.central(name(i), 0, DATA.length, headers[i], true));
        }
        out.writeBytes(ZipRecords.end(headers.length, directory, out.size() - directory));
        return out.toByteArray();
    }

    private static byte[] name(int member) {
        return new byte[] {(byte) ('a' + member)};
    }

    private Path write(byte[] archive) throws IOException {
        return Files.write(folder.resolve("hostile.zip"), archive);
    }

    private void assertRefused(Class<?> kind, Path place, String... reasons) {
        var refused = assertThatThrownBy(() -> Trees.openAnew(place).close()).isInstanceOf(kind);
        refused.hasMessageContaining(String.valueOf(place.getFileName()));
        for (String reason : reasons) {
            refused.hasMessageContaining(reason);
        }
    }

    private void assertDamageIsNoticed(Consumer<ByteBuffer> damage, String... reasons) throws IOException {
        byte[] bytes = archive(0, LOCAL_BYTES);
        damage.accept(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
        assertRefused(CorruptContainerException.class, write(bytes), reasons);
    }

    @Test
    void theHandMadeArchiveIsReadIfNothingIsWrongWithIt() throws Exception {
        try (Container container = Trees.openAnew(write(archive(0, LOCAL_BYTES)))) {
            assertThat(Trees.contents(container)).containsOnlyKeys("a", "b");
        }
    }

    @Test
    void theDirectoryIsNotBelievedAlone() throws IOException {
        int central = 2 * LOCAL_BYTES;
        assertDamageIsNoticed(b -> b.putInt(central + 42, 1), "'a'", "local header (PK 03 04) at byte 1");
        assertDamageIsNoticed(b -> b.putInt(central + 42, -2), "'a'", "local header");
        assertDamageIsNoticed(
                b -> b.put(central + 46, (byte) 'x'),
                "'x'",
                "differs from the central directory; one of them is wrong");
        assertDamageIsNoticed(
                b -> b.put(8, (byte) 8), "'a'", "differs from the central directory; one of them is wrong");
        assertDamageIsNoticed(
                b -> b.putShort(6, (short) 1), "'a'", "differs from the central directory; one of them is wrong");
        assertDamageIsNoticed(b -> b.putInt(central + 24, 11), "'a'", "10 bytes of 11");
        assertDamageIsNoticed(
                b -> b.putInt(central + 20, 1 << 30).putInt(central + 24, 1 << 30), "'a'", "reaches into the central");
        assertDamageIsNoticed(b -> b.putInt(central + 24, -1), "zip64");
        assertDamageIsNoticed(b -> b.putShort(central + 28, (short) -1), "byte " + central, "the directory ends at");
    }

    @Test
    void theEndIsNotBelievedAlone() throws IOException {
        int end = archive(0, LOCAL_BYTES).length - ZipRecords.END_BYTES;
        assertDamageIsNoticed(b -> b.putShort(end + 8, (short) 1).putShort(end + 10, (short) 1), "should end here");
        assertDamageIsNoticed(b -> b.putShort(end + 8, (short) 3).putShort(end + 10, (short) 3), "cannot have 3");
        assertDamageIsNoticed(b -> b.putInt(end + 12, -1), "central directory should end here");
        assertDamageIsNoticed(b -> b.putInt(end + 16, 0), "central directory should end here", "zip -A");
        assertDamageIsNoticed(b -> b.putShort(end + 20, (short) 1), "PK 05 06");
        byte[] parts = archive(0, LOCAL_BYTES);
        parts[end + 4] = 1;
        assertRefused(StokerException.class, write(parts), "one of several parts");
    }

    @Test
    void aZip64EndIsNotBelievedAlone() throws IOException {
        byte[] plain = archive(0, LOCAL_BYTES);
        int at = plain.length - ZipRecords.END_BYTES;
        // As if there were 65,535 members.
        byte[] wide = Arrays.copyOf(plain, at + ZipRecords.END64_BYTES + ZipRecords.LOCATOR64_BYTES + 22);
        byte[] end = ZipRecords.end(ZipRecords.MAX16, 2L * LOCAL_BYTES, at - 2 * LOCAL_BYTES);
        System.arraycopy(end, 0, wide, at, end.length);
        assertRefused(CorruptContainerException.class, write(wide), "cannot have 65535 members");
        ByteBuffer buffer = ByteBuffer.wrap(wide).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + ZipRecords.END64_BYTES + 8, Long.MAX_VALUE);
        assertRefused(CorruptContainerException.class, write(wide), "expected the zip64 end at byte " + Long.MAX_VALUE);
        buffer.putLong(at + ZipRecords.END64_BYTES + 8, at).putLong(at + 24, 2).putLong(at + 32, 2);
        buffer.putLong(at + 40, Long.MIN_VALUE);
        assertRefused(CorruptContainerException.class, write(wide), "disagree about the central directory");
    }

    /** The archive that grows without end when extracted: all members are the same bytes, or one lies in another. */
    @Test
    void membersThatOverlapAreRefused() throws IOException {
        byte[] inner = archive(0, 0, 0);
        for (int i = 1; i < 3; i++) {
            inner[3 * LOCAL_BYTES + i * 47 + 46] = 'a';
        }
        assertRefused(CorruptContainerException.class, write(inner), "within another");
    }

    @Test
    void encryptedMembersAndOtherCompressionsAreNamed() throws Exception {
        Files.writeString(folder.resolve("text"), "text ".repeat(1000));
        Trees.run(folder, "zip", "-q0", "-P", "secret", "encrypted.zip", "text");
        assertRefused(StokerException.class, folder.resolve("encrypted.zip"), "'text'", "encrypted");
        Trees.run(folder, "python3", "-c", """
                import zipfile
                with zipfile.ZipFile('lzma.zip', 'w', zipfile.ZIP_LZMA) as z: z.write('text')
                """);
        assertRefused(StokerException.class, folder.resolve("lzma.zip"), "'text'", "method 14");
        Files.write(folder.resolve("before.zip"), concat(new byte[] {'P', 'K', 3, 4}, archive(0)));
        assertRefused(CorruptContainerException.class, folder.resolve("before.zip"), "zip -A");
    }

    /** Wherever a link points, nothing is followed and nothing is written for it. */
    @Test
    void symbolicLinksArePassedOver() throws Exception {
        Path tree = Files.createDirectory(folder.resolve("tree"));
        Files.writeString(tree.resolve("text"), "text");
        Files.createSymbolicLink(tree.resolve("inside"), Path.of("text"));
        Files.createSymbolicLink(tree.resolve("outside"), Path.of("../../secret"));
        Files.createSymbolicLink(tree.resolve("absolute"), Path.of("/etc/passwd"));
        Trees.run(tree, "zip", "-q0y", "../links.zip", "text", "inside", "outside", "absolute");
        try (Container container = Trees.openAnew(folder.resolve("links.zip"))) {
            assertThat(Trees.contents(container)).isEqualTo(Map.of("text", "text"));
            Path target = Trees.pack(new FolderFormat(), container, folder.resolve("target"));
            assertThat(Trees.read(target)).isEqualTo(Map.of("text", "text"));
        }
    }

    @Test
    void membersThatInflateToMoreOrLessThanTheySayAreRefused() throws Exception {
        Trees.run(folder, "python3", "-c", """
                import struct, zipfile
                with zipfile.ZipFile('good.zip', 'w', zipfile.ZIP_DEFLATED) as z: z.writestr('a', b'text ' * 1000)
                good = open('good.zip', 'rb').read()
                at = good.index(b'PK\1\2')
                def lie(name, length):
                    b = bytearray(good)
                    struct.pack_into('<I', b, 22, length); struct.pack_into('<I', b, at + 24, length)
                    open(name, 'wb').write(b)
                lie('less.zip', 4999); lie('more.zip', 5001); lie('bomb.zip', 2 << 30)
                b = bytearray(good); b[35] ^= 0xff; open('damaged.zip', 'wb').write(b)
                """);
        try (Container container = Trees.openAnew(folder.resolve("good.zip"))) {
            assertThat(container.value(0, 1).byteSize()).isEqualTo(5000);
        }
        assertThatThrownBy(() -> readFirst("less.zip")).hasMessageContaining("inflates to more than the 4999 bytes");
        assertThatThrownBy(() -> readFirst("more.zip")).hasMessageContaining("should inflate to 5001 bytes");
        assertThatThrownBy(() -> readFirst("damaged.zip")).isInstanceOf(CorruptContainerException.class);
        assertRefused(CorruptContainerException.class, folder.resolve("bomb.zip"), "'a'", "made to fill disks");
    }

    private void readFirst(String name) throws IOException {
        try (Container container = Trees.openAnew(folder.resolve(name))) {
            container.value(0, 1);
        }
    }

    @Test
    void namesThatLeaveTheFolderAreNotExported() throws Exception {
        for (String name : new String[] {"../out", "/tmp/stoker-out", "a/../../out", "./x/../../out"}) {
            byte[] raw = name.getBytes(StandardCharsets.UTF_8);
            byte[] local =
                    concat(ZipRecords.local(raw, DATA.length), concat(DATA, ZipRecords.descriptor(0, DATA.length)));
            byte[] central = ZipRecords.central(raw, 0, DATA.length, 0, true);
            byte[] end = ZipRecords.end(1, local.length, central.length);
            Path archive = write(concat(local, concat(central, end)));
            try (Container container = Trees.openAnew(archive)) {
                assertThatThrownBy(() -> Trees.pack(new FolderFormat(), container, folder.resolve("target")))
                        .isInstanceOf(StokerException.class)
                        .hasMessageContaining("'" + name + "'");
            }
            assertThat(folder.resolve("out")).doesNotExist();
            assertThat(folder.resolve("target")).doesNotExist();
        }
    }

    private static byte[] concat(byte[] a, byte[] b) {
        byte[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }
}
