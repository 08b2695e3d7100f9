package dev.stoker.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.CorruptContainerException;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Offsets and lengths by multiplication and by extents, and what they may not be. */
class ColumnTest {
    private static final MemorySegment FILE = MemorySegment.ofArray(new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});

    private static Column dense(@Nullable MemorySegment file, long samples, long base, long width) {
        return new Column("x", samples, file, FILE.byteSize(), null, base, width, null, null, 0);
    }

    /** One value for each pair of offset and length. */
    private static Column sparse(long... extents) {
        return new Column("x", extents.length / 2, FILE, FILE.byteSize(), longs(extents), -1, 0, null, null, 0);
    }

    private static MemorySegment longs(long... values) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[8 * values.length]);
        for (int i = 0; i < values.length; i++) {
            bytes.set(LittleEndian.U64, 8L * i, values[i]);
        }
        return bytes;
    }

    private static byte[] bytes(@Nullable MemorySegment slice) {
        return slice == null ? new byte[0] : slice.toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void fixedValuesAreFoundByMultiplication() {
        Column column = dense(FILE, 4, 2, 2);
        for (int i = 0; i < 4; i++) {
            assertThat(column.offset(i)).isEqualTo(2 + 2 * i);
            assertThat(column.length(i)).isEqualTo(2);
            assertThat(bytes(column.slice(i))).containsExactly(2 + 2 * i, 3 + 2 * i);
        }
        assertThat(bytes(column.dense())).containsExactly(2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void variableValuesAreFoundByExtents() {
        Column column = sparse(7, 3, 0, 0, 10, 0, 2, 1);
        assertThat(bytes(column.slice(0))).containsExactly(7, 8, 9);
        assertThat(column.slice(1).byteSize()).isZero();
        assertThat(column.offset(2)).isEqualTo(10);
        assertThat(column.length(2)).isZero();
        assertThat(bytes(column.slice(3))).containsExactly(2);
        assertThat(column.dense()).isNull();
    }

    @Test
    void anExtentThatLeavesTheFileIsDamage() {
        long[][] extents = {{7, 4}, {11, 0}, {-1, 1}, {0, -1}, {Long.MAX_VALUE, 1}, {1, Long.MAX_VALUE}};
        for (long[] extent : extents) {
            assertThatThrownBy(() -> sparse(0, 1, extent[0], extent[1]).slice(1))
                    .isInstanceOfSatisfying(CorruptContainerException.class, e -> {
                        assertThat(e.sample()).isEqualTo(1);
                        assertThat(e.offset()).isEqualTo(extent[0]);
                    })
                    .hasMessage("[x] sample 1" + (extent[0] < 0 ? ": " : ", byte " + extent[0] + ": ")
                            + "its value of " + extent[1] + " bytes should lie inside the file's 10 bytes; the Index is"
                            + " damaged or belongs to another file");
        }
    }

    @Test
    void aSampleThatIsNotThereIsRefused() {
        for (Column column : new Column[] {dense(FILE, 2, 0, 1), sparse(0, 1, 1, 1)}) {
            for (long sample : new long[] {-1, 2, Long.MAX_VALUE}) {
                assertThatThrownBy(() -> column.offset(sample)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> column.slice(sample)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> column.checksum(sample)).isInstanceOf(IndexOutOfBoundsException.class);
            }
        }
    }

    @Test
    void shapesAndChecksumsBelongToTheirSample() {
        MemorySegment checksums = MemorySegment.ofArray(new byte[] {1, 0, 0, 0, 2, 0, 0, 0});
        var column = new Column("x", 2, FILE, 10, longs(0, 6, 6, 0), -1, 0, checksums, longs(2, 3, 0, 7), 2);
        assertThat(column.hasChecksums()).isTrue();
        assertThat(column.checksum(1)).isEqualTo(2);
        assertThat(column.shape(0)).containsExactly(2, 3);
        assertThat(column.shape(1)).containsExactly(0, 7);
        assertThatThrownBy(() -> sparse(0, 1).shape(0)).hasMessage("only arrays have a shape of their own");
    }

    @Test
    void valuesThatAreNotMappedHavePlacesButNoSlices() {
        Column remote = dense(null, 2, 4, 3);
        assertThat(remote.offset(1)).isEqualTo(7);
        assertThat(remote.length(1)).isEqualTo(3);
        assertThat(remote.dense()).isNull();
        assertThatThrownBy(() -> remote.slice(0))
                .hasMessage("values in blocks or on remote storage are read by their container");
    }

    @Test
    void denseValuesThatTheContainerDoesNotHoldAreDamage() {
        try (IndexBuilder builder = Indexed.builder()) {
            Index index = builder.toMemory("x", "plain", null, ContainerIdentity.NONE);
            assertThatThrownBy(() -> index.column(Indexed.POINT, FILE))
                    .isInstanceOf(CorruptContainerException.class)
                    .hasMessage("[x] byte 16: 3 values of field 'point' of 8 bytes each should lie inside the file's 10"
                            + " bytes");
        }
    }
}
