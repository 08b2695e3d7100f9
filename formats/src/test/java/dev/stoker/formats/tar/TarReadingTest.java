package dev.stoker.formats.tar;

import static dev.stoker.formats.tar.Archives.header;
import static dev.stoker.formats.tar.Archives.member;
import static dev.stoker.formats.tar.Archives.patched;
import static dev.stoker.formats.tar.Archives.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.formats.shared.tar.TarHeader;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.Npy;
import dev.stoker.testkit.Same;
import java.io.ByteArrayOutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives made by hand: what other programs write, and what nobody should. */
class TarReadingTest {
    private static final long GIB = 1L << 30;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private Container open(byte[]... members) throws Exception {
        return Archives.openAnew(Archives.write(folder.resolve("x.tar"), members));
    }

    /** Size, head and tail of both are the same, by which an Index knows its container. */
    @Test
    void anIndexOfWhatATarHeldBeforeIsNotBelieved() throws Exception {
        Path tar = folder.resolve("again.tar");
        try (Container first = open(tar, 2000, 1000)) {
            assertThat(first.length(1, first.schema().place(Field.DATA))).isEqualTo(2000);
        }
        FileTime made = Files.getLastModifiedTime(Sidecar.beside(tar));
        try (Container second = open(tar, 1000, 2000)) {
            assertThat(second.length(1, second.schema().place(Field.DATA))).isEqualTo(1000);
        }
        assertThat(Files.getLastModifiedTime(Sidecar.beside(tar))).isGreaterThan(made);
        FileTime again = Files.getLastModifiedTime(Sidecar.beside(tar));
        Files.setLastModifiedTime(tar, again);
        Container.open(tar).close();
        assertThat(Files.getLastModifiedTime(Sidecar.beside(tar))).isEqualTo(again);
    }

    private static Container open(Path tar, int first, int second) throws Exception {
        String edge = "e".repeat(100_000);
        Archives.write(
                tar,
                member("0", edge),
                member("1", "f".repeat(first)),
                member("2", "s".repeat(second)),
                member("9", edge));
        return Container.open(tar);
    }

    private void assertCorrupt(String reason, byte[]... members) {
        assertThatThrownBy(() -> open(members))
                .isInstanceOf(CorruptContainerException.class)
                .hasMessageContaining("[x.tar]")
                .hasMessageContaining(reason);
    }

    private void assertRefused(String reason, byte[]... members) {
        assertThatThrownBy(() -> open(members))
                .isInstanceOf(StokerException.class)
                .isNotInstanceOf(CorruptContainerException.class)
                .hasMessageContaining("[x.tar]")
                .hasMessageContaining(reason);
    }

    private static String fields(Container container) {
        var fields = new StringBuilder();
        for (Field field : container.schema().fields()) {
            fields.append(fields.isEmpty() ? "" : " ")
                    .append(field.name())
                    .append(':')
                    .append(field.type().label());
        }
        return fields.toString();
    }

    @Test
    void anEmptyArchiveHasNoSamples() throws Exception {
        try (Container container = open()) {
            assertThat(container.count()).isZero();
            assertThat(fields(container)).isEqualTo("key:text data:bytes");
        }
    }

    @Test
    void readingStopsAtTheEndMark() throws Exception {
        try (Container container = open(member("a", "1"), new byte[1024], member("b", "2"))) {
            assertThat(Archives.contents(container)).isEqualTo(Map.of("a", "1"));
        }
    }

    @Test
    void gnuLongNamesAndLinks() throws Exception {
        String name = "n".repeat(300);
        byte[] link = header("short", 0, '1');
        try (Container container = open(
                member(header("././@LongLink", name.length() + 1, 'L'), name + "\0"),
                member("short", "one"),
                member(header("././@LongLink", name.length() + 1, 'K'), name + "\0"),
                link)) {
            assertThat(Archives.contents(container)).isEqualTo(Map.of(name, "one", "short", "one"));
        }
    }

    @Test
    void foldersAndOtherMembersWithoutBytesAreSkipped() throws Exception {
        try (Container container = open(
                header("folder", 0, '5'),
                header("old/", 0, '\0'),
                header("soft", 0, '2'),
                header("device", 0, '3'),
                header("label", 0, 'V'),
                member(header("file", 1, '7'), "x"))) {
            assertThat(Archives.contents(container)).isEqualTo(Map.of("file", "x"));
        }
    }

    @Test
    void sizesBeyondOctalDigits() throws Exception {
        byte[] base256 = new byte[12];
        base256[0] = (byte) 0x80;
        base256[7] = 2;
        base256[11] = 5;
        Path place = folder.resolve("huge.tar");
        byte[] pax = TarHeader.file(utf8("pax"), 9 * GIB);
        byte[] gnu = patched(TarHeader.file(utf8("gnu"), 0), TarHeader.SIZE, base256);
        try (var file = new RandomAccessFile(place.toFile(), "rw")) {
            file.write(pax);
            file.seek(pax.length + 9 * GIB);
            file.write(gnu);
            file.seek(pax.length + 9 * GIB + 512 + 8 * GIB + 512);
            file.write(member("last", "end"));
            file.setLength(file.length() + 1024);
        }
        try (Container container = Archives.openAnew(place)) {
            assertThat(container.count()).isEqualTo(3);
            assertThat(container.length(0, 1)).isEqualTo(9 * GIB);
            assertThat(container.length(1, 1)).isEqualTo(8 * GIB + 5);
            assertThat(container.text(2, 1)).isEqualTo("end");
        }
    }

    @Test
    void webdatasetSamplesAreGrouped() throws Exception {
        try (Container container = open(
                member("./a/1.cls", "3\n"),
                member("./a/1.jpg", "one"),
                member("./a/1.seg.png", "seg"),
                member("./a/2.PNG", "two"),
                member("./a/2.cls", " -7"),
                member("./a/3.jpg", "three"),
                member("./a/3.seg.png", ""))) {
            assertThat(fields(container)).isEqualTo("key:text data:bytes label:int64 seg.png:bytes");
            assertThat(Archives.contents(container))
                    .isEqualTo(Map.of("a/1.jpg", "one", "a/2.PNG", "two", "a/3.jpg", "three"));
            assertThat(Same.bytes(container, 1, 2)).containsExactly(-7, -1, -1, -1, -1, -1, -1, -1);
            assertThat(Same.bytes(container, 2, 2)).containsExactly(-1, -1, -1, -1, -1, -1, -1, -1);
            assertThat(container.text(0, 3)).isEqualTo("seg");
            assertThat(container.length(1, 3)).isZero();
        }
    }

    @Test
    void filesThatShareNoKeyAreNotGrouped() throws Exception {
        try (Container container = open(
                member("a.jpg", "1"),
                member("b.png", "2"),
                member("c.txt", "3"),
                member("README", "4"),
                member("a.json", "5"))) {
            assertThat(fields(container)).isEqualTo("key:text data:bytes");
            assertThat(container.count()).isEqualTo(5);
        }
    }

    /** However few samples have several members. */
    @Test
    void oneTextBesideTenPicturesIsAField() throws Exception {
        var members = new ArrayList<byte[]>();
        for (int i = 0; i < 10; i++) {
            members.add(member(i + ".jpg", "picture " + i));
            if (i == 7) {
                members.add(member(i + ".txt", "text"));
            }
        }
        try (Container container = open(members.toArray(byte[][]::new))) {
            assertThat(fields(container)).isEqualTo("key:text data:bytes txt:bytes");
            assertThat(container.count()).isEqualTo(10);
            assertThat(container.text(7, 2)).isEqualTo("text");
            assertThat(container.length(6, 2)).isZero();
        }
    }

    @Test
    void aKeyThatComesAgainIsAnotherSample() throws Exception {
        try (Container container = open(
                member("a.jpg", "1"),
                member("a.txt", "one"),
                member("b.jpg", "2"),
                member("a.jpg", "3"),
                member("a.txt", "three"))) {
            assertThat(container.count()).isEqualTo(3);
            assertThat(container.text(2, 2)).isEqualTo("three");
        }
    }

    @Test
    void twoMembersOfOneKeyAndExtensionAreRefused() {
        assertRefused(
                "'a.JPG' follows another member of the same key and extension, so the two cannot be one sample (WebDataset"
                        + " refuses that, too); extract the archive and pack the folder, where each file is a sample",
                member("a.jpg", "1"),
                member("a.txt", "one"),
                member("a.JPG", "2"));
    }

    @Test
    void jsonThatDiffersIsKeptWhole() throws Exception {
        try (Container container = open(
                member("1.jpg", "x"),
                member("1.json", "{\"a\":1}"),
                member("2.jpg", "y"),
                member("2.json", "{\"a\":null}"))) {
            assertThat(fields(container)).isEqualTo("key:text data:bytes json:text");
            assertThat(container.text(1, 2)).isEqualTo("{\"a\":null}");
        }
        try (Container container = open(
                member("1.jpg", "x"), member("1.json", "{\"a\":9007199254740993}"),
                member("2.jpg", "y"), member("2.json", "{\"a\":0.5}"))) {
            assertThat(fields(container)).as("an integer that no double holds").endsWith("json:text");
        }
        try (Container container = open(
                member("1.jpg", "x"), member("1.json", "{\"a\":1}"), member("2.jpg", "y"), member("2.json", "{"))) {
            assertThat(fields(container)).isEqualTo("key:text data:bytes json:bytes");
        }
    }

    @Test
    void npyFilesAreArrays() throws Exception {
        try (Container container = open(npy("a.npy", DType.INT16, 2), npy("b.npy", DType.INT16, 2))) {
            assertThat(fields(container)).isEqualTo("key:text data:int16[2]");
            assertThat(Same.bytes(container, 1, 1)).containsExactly(1, 1, 1, 1);
        }
        try (Container container = open(npy("a.npy", DType.INT16, 2), npy("b.npy", DType.INT16, 3))) {
            assertThat(fields(container)).isEqualTo("key:text data:int16[*]");
            assertThat(container.shape(1, 1)).containsExactly(3);
        }
        try (Container container = open(npy("a.npy", DType.INT16, 2), npy("b.npy", DType.INT32, 2))) {
            assertThat(fields(container)).isEqualTo("key:text data:bytes");
        }
    }

    private static byte[] npy(String name, DType dtype, int length) {
        var content = new ByteArrayOutputStream();
        content.writeBytes(Npy.header(dtype, length));
        for (int i = 0; i < length * dtype.bytes(); i++) {
            content.write(1);
        }
        return member(name, content.toString(StandardCharsets.ISO_8859_1));
    }

    @Test
    void damageIsNamed() {
        byte[] damaged = member("a", "1");
        damaged[3] ^= 1;
        assertCorrupt("byte 0: the checksum of a header does not fit", damaged);
        assertCorrupt("byte 1024: a block of zeros stands alone", member("a", "1"), new byte[512], member("b", "2"));
        assertCorrupt("cut short, or the size is damaged", header("a", 1 << 20, '0'));
        assertCorrupt("is not a number", patched(header("a", 0, '0'), TarHeader.SIZE, utf8("00000000009")));
        byte[] wide = new byte[12];
        java.util.Arrays.fill(wide, (byte) 0xff);
        assertCorrupt("is not a number", patched(header("a", 0, '0'), TarHeader.SIZE, wide));
        wide[0] = (byte) 0x80;
        assertCorrupt("is not a number", patched(header("a", 0, '0'), TarHeader.SIZE, wide));
        assertCorrupt("but the archive ends", pax("9 path=b\n"));
        assertCorrupt("has no name", patched(header("a", 0, '0'), 0, new byte[1]));
    }

    @Test
    void damagedOrHostilePaxHeadersAreNamed() {
        for (String records :
                new String[] {"x", "8 path=b\n", "99 path=b\n", "9 pathxb\n", "99999999999999999999 a=b\n"}) {
            assertCorrupt("expected a pax record", pax(records), member("a", "1"));
        }
        assertCorrupt("should be a number but is '-1'", pax("11 size=-1\n"), member("a", "1"));
        assertCorrupt("cut short, or the size is damaged", pax("28 size=9223372036854775807\n"), member("a", "1"));
        assertCorrupt("a name has a NUL in it", pax("12 path=b\0c\n"), member("a", "1"));
        assertCorrupt("at most 1048576 bytes", header("x", 2 << 20, 'x'), new byte[2 << 20]);
        assertCorrupt("at most 65536 bytes", header("x", 70_000, 'L'), new byte[70_144]);
        assertCorrupt(
                "the same path or size to all members", member(header("g", 9, 'g'), "9 path=b\n"), member("a", "1"));
    }

    private static byte[] pax(String records) {
        return member(header("x", records.length(), 'x'), records);
    }

    @Test
    void whatIsNotSupportedIsNamed() {
        assertRefused("'a' is a sparse file", header("a", 0, 'S'));
        assertRefused("'a' is a sparse file", pax("22 GNU.sparse.major=1\n"), member("a", "1"));
        assertRefused("began in another volume", header("a", 0, 'M'));
        assertRefused("incremental", header("a", 0, 'D'));
        assertRefused("of a type that is not known ('Z', 90)", header("a", 0, 'Z'));
        assertRefused("not UTF-8", patched(header("a", 0, '0'), 0, new byte[] {(byte) 0xff}));
        assertRefused(
                "'a' is a hard link to 'b', which is not an earlier file of the archive",
                patched(header("a", 0, '1'), TarHeader.LINK_NAME, utf8("b")),
                member("b", "1"));
    }
}
