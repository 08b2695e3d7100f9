package dev.stoker.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every file that is no Index, or no whole one, is refused with a sentence that says where and why. */
class DamagedIndexTest {
    private static final String NO_INDEX =
            "[x.stkx] byte 0: the Index should begin with its magic number; the file is not an Index, or not sealed";
    private static final String BAD_HEADER =
            "[x.stkx] byte 0: the header's checksum does not match; the file is damaged";

    @TempDir
    private Path folder;

    private Path path = Path.of("");
    private byte[] whole = {};

    @BeforeEach
    void writeIndex() throws IOException {
        path = Indexed.write(folder.resolve("x.stkx"));
        whole = Files.readAllBytes(path);
    }

    private void assertRefused(byte[] file, String sentence) throws IOException {
        Files.write(path, file);
        assertThatThrownBy(() -> Index.open(path))
                .isInstanceOf(CorruptContainerException.class)
                .hasMessage(sentence);
    }

    /** Changes header or section table and makes their checksums fit, as a hostile writer would. */
    private byte[] forged(Consumer<MemorySegment> change) {
        MemorySegment bytes = MemorySegment.ofArray(whole.clone());
        change.accept(bytes);
        long sections = Integer.toUnsignedLong(bytes.get(LittleEndian.U32, 40));
        if (bytes.get(LittleEndian.U64, 32) == IndexHeader.BYTES && sections <= IndexHeader.MAX_SECTIONS) {
            bytes.set(LittleEndian.U32, 44, Checksum.of(bytes.asSlice(IndexHeader.BYTES, sections * Section.BYTES)));
        }
        bytes.set(LittleEndian.U32, 124, Checksum.of(bytes.asSlice(0, 124)));
        return bytes.toArray(ValueLayout.JAVA_BYTE);
    }

    /** Where the table has the section of a kind. */
    private long entry(Section.Kind kind, int field) {
        MemorySegment bytes = MemorySegment.ofArray(whole);
        for (long at = IndexHeader.BYTES; ; at += Section.BYTES) {
            if (bytes.get(LittleEndian.U32, at) == kind.code && bytes.get(LittleEndian.U32, at + 4) == field) {
                return at;
            }
        }
    }

    private long offset(Section.Kind kind, int field) {
        return MemorySegment.ofArray(whole).get(LittleEndian.U64, entry(kind, field) + 8);
    }

    @Test
    void aFileOfAnotherKindIsRefused() throws IOException {
        assertRefused(new byte[0], NO_INDEX);
        assertRefused(new byte[4096], NO_INDEX);
        byte[] zip = whole.clone();
        zip[0] = 'P';
        assertRefused(zip, NO_INDEX);
        assertThat(Index.matches(MemorySegment.ofArray(whole))).isTrue();
        assertThat(Index.matches(MemorySegment.ofArray(zip))).isFalse();
        assertThat(Index.matches(MemorySegment.ofArray(new byte[7]))).isFalse();
    }

    @Test
    void aTruncatedFileIsRefusedWhereverItEnds() throws IOException {
        for (int end : new int[] {1, 8, IndexHeader.BYTES - 1}) {
            assertRefused(Arrays.copyOf(whole, end), NO_INDEX);
        }
        for (int end : new int[] {IndexHeader.BYTES, whole.length / 2, whole.length - 1, whole.length + 1}) {
            assertRefused(
                    Arrays.copyOf(whole, end),
                    "[x.stkx] byte 16: the file should have " + whole.length + " bytes but has " + end
                            + "; it is truncated or damaged");
        }
    }

    @Test
    void anyByteOfTheHeaderIsCovered() throws IOException {
        for (int at = 10; at < IndexHeader.BYTES; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x10;
            assertRefused(damaged, BAD_HEADER);
            assertThat(Index.hasIntactHead(path)).isFalse();
        }
    }

    @Test
    void anyByteOfTheSectionTableIsCovered() throws IOException {
        int sections = MemorySegment.ofArray(whole).get(LittleEndian.U32, 40);
        for (int at = IndexHeader.BYTES; at < IndexHeader.BYTES + sections * Section.BYTES; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 1;
            assertRefused(damaged, "[x.stkx] byte 128: the section table's checksum does not match");
        }
    }

    @Test
    void aLaterVersionIsNotDamage() throws IOException {
        Files.write(path, forged(bytes -> bytes.set(LittleEndian.U16, 8, (short) 2)));
        assertThatThrownBy(() -> Index.open(path))
                .isInstanceOf(StokerException.class)
                .isNotInstanceOf(CorruptContainerException.class)
                .hasMessage("[x.stkx] is an Index of version 2, but this Stoker reads version 1; use a newer Stoker");
    }

    @Test
    void numbersThatCannotBeAreRefused() throws IOException {
        assertRefused(
                forged(bytes -> bytes.set(LittleEndian.U64, 24, -1)),
                "[x.stkx] byte 24: the number of samples should not be negative but is -1");
        assertRefused(
                forged(bytes -> bytes.set(LittleEndian.U32, 12, 3)),
                "[x.stkx] byte 12: the kind should be 1 or 2 but is 3");
        assertRefused(
                forged(bytes -> bytes.set(LittleEndian.U64, 32, whole.length)),
                "[x.stkx] byte 32: the table of " + MemorySegment.ofArray(whole).get(LittleEndian.U32, 40)
                        + " sections at byte " + whole.length + " should lie inside the file");
        assertRefused(
                forged(bytes -> bytes.set(LittleEndian.U32, 40, -1)),
                "[x.stkx] byte 32: the table of 4294967295 sections at byte 128 should lie inside the file");
        assertRefused(
                forged(bytes -> bytes.set(LittleEndian.U64, 24, 4)),
                "[x.stkx] byte " + offset(Section.Kind.META, Section.NO_FIELD)
                        + ": section META: the splits hold 3 samples but there are 4");
    }

    @Test
    void sectionsThatCannotBeAreRefused() throws IOException {
        long data = entry(Section.Kind.EXTENTS, Indexed.DATA);
        assertRefused(
                forged(bytes -> bytes.set(LittleEndian.U64, data + 16, Long.MAX_VALUE)),
                "[x.stkx] byte " + data + ": a section of " + Long.MAX_VALUE + " bytes at byte "
                        + offset(Section.Kind.EXTENTS, Indexed.DATA) + " should lie inside the file");
        assertRefused(
                forged(bytes -> bytes.set(LittleEndian.U64, data + 8, 1)),
                "[x.stkx] byte " + data + ": a section of 48 bytes at byte 1 should lie inside the file");
        assertRefused(
                forged(bytes -> bytes.set(LittleEndian.U64, data + 16, 40)),
                "[x.stkx] byte " + offset(Section.Kind.EXTENTS, Indexed.DATA)
                        + ": section EXTENTS of field 'data' should have 16 bytes for each of 3 samples but has 40"
                        + " bytes in total");
        assertRefused(
                forged(bytes -> bytes.set(LittleEndian.U32, data, 99)),
                "[x.stkx] section EXTENTS is missing for field " + Indexed.DATA);
        assertRefused(
                forged(bytes -> bytes.set(LittleEndian.U32, data + 4, 8)),
                "[x.stkx] byte " + offset(Section.Kind.EXTENTS, Indexed.DATA)
                        + ": section EXTENTS is of field 8 but there are 8 fields");
        assertRefused(
                forged(bytes -> bytes.set(LittleEndian.U32, entry(Section.Kind.META, Section.NO_FIELD), 99)),
                "[x.stkx] section META is missing");
    }

    @Test
    void whatTheSamplesAreIsCheckedAtOnce() throws IOException {
        byte[] damaged = whole.clone();
        int meta = (int) offset(Section.Kind.META, Section.NO_FIELD);
        damaged[meta + 1] ^= 1;
        assertRefused(damaged, "[x.stkx] byte " + meta + ": the checksum of section META does not match");
        assertThat(Index.hasIntactHead(path)).isTrue();
    }

    @Test
    void allOtherSectionsAreCheckedOnRequest() throws IOException {
        byte[] damaged = whole.clone();
        long keys = offset(Section.Kind.VALUES, Indexed.KEY);
        long labels = offset(Section.Kind.VALUES, Indexed.LABEL);
        long blocks = offset(Section.Kind.BLOCKS, Section.NO_FIELD);
        for (long at : new long[] {keys, labels, blocks}) {
            damaged[(int) at] ^= 1;
        }
        Files.write(path, damaged);
        try (Index index = Index.open(path)) {
            assertThat(index.damages())
                    .extracting(CorruptContainerException::getMessage)
                    .containsExactly(
                            "[x.stkx] byte " + keys + ": the checksum of section VALUES of field 'key' does not match",
                            "[x.stkx] byte " + labels
                                    + ": the checksum of section VALUES of field 'label' does not match",
                            "[x.stkx] byte " + blocks + ": the checksum of section BLOCKS does not match");
            assertThatThrownBy(index::verify)
                    .isInstanceOf(CorruptContainerException.class)
                    .hasMessageContaining("section VALUES of field 'key'");
        }
    }
}
