package dev.stoker.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.format.FormatOptions;
import dev.stoker.formats.parquet.schema.Encoding;
import dev.stoker.formats.parquet.schema.PageType;
import dev.stoker.formats.parquet.schema.ParquetMagic;
import dev.stoker.formats.parquet.schema.PhysicalType;
import dev.stoker.formats.parquet.thrift.ThriftType;
import dev.stoker.formats.parquet.thrift.ThriftWriter;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Workshop;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Files made to lead a reader astray are refused, in little time and memory. */
class ParquetHostileTest {
    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    /** A file that has pages and this footer. */
    private static byte[] file(byte[] pages, Consumer<ThriftWriter> footer) {
        var to = new ThriftWriter();
        footer.accept(to.element());
        byte[] metadata = to.end().toBytes();
        var out = new ByteArrayOutputStream();
        out.writeBytes(ParquetMagic.bytes());
        out.writeBytes(pages);
        out.writeBytes(metadata);
        var length = new byte[4];
        MemorySegment.ofArray(length).set(LittleEndian.U32, 0, metadata.length);
        out.writeBytes(length);
        out.writeBytes(ParquetMagic.bytes());
        return out.toByteArray();
    }

    private String refusal(byte[] file) {
        return Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> Damaged.refusal(folder, file));
    }

    private static void column(ThriftWriter to, PhysicalType physical) {
        to.list(2, ThriftType.STRUCT, 2);
        to.element().text(4, "schema").i32(5, 1).end();
        to.element().i32(1, physical.ordinal()).i32(3, 0).text(4, "x").end();
    }

    /** A footer with one row group of one column, whose pages begin behind the magic. */
    private static void footer(ThriftWriter to, PhysicalType physical, int codec, long rows) {
        column(to, physical);
        to.i64(3, rows).list(4, ThriftType.STRUCT, 1);
        to.element().list(1, ThriftType.STRUCT, 1).element().i64(2, 0).struct(3);
        to.i32(1, physical.ordinal()).list(2, ThriftType.I32, 0);
        to.i32(4, codec).i64(5, rows).i64(6, 1).i64(7, 1).i64(9, 4).end().end();
        to.i64(3, rows).end();
    }

    private static byte[] page(int values, Encoding encoding, int decoded, byte... body) {
        byte[] header = new ThriftWriter()
                .element()
                .i32(1, PageType.DATA)
                .i32(2, decoded)
                .i32(3, body.length)
                .struct(5)
                .i32(1, values)
                .i32(2, encoding.number())
                .i32(3, 3)
                .i32(4, 3)
                .end()
                .end()
                .toBytes();
        return joined(header, body);
    }

    private static byte[] joined(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    @Test
    void hugeCountsAreRefused() {
        assertThat(refusal(file(new byte[0], to -> to.i32(1, 2).list(2, ThriftType.STRUCT, Integer.MAX_VALUE))))
                .contains("a list should have at most");
        assertThat(refusal(file(new byte[0], to -> to.i32(1, 2).list(99, ThriftType.I64, Integer.MAX_VALUE))))
                .contains("a list should have at most");
        assertThat(refusal(file(new byte[0], to -> {
                    column(to, PhysicalType.INT32);
                    to.i64(3, 0).list(4, ThriftType.STRUCT, Integer.MAX_VALUE);
                })))
                .contains("a list should have at most");
    }

    @Test
    void depthIsBounded() {
        var deep = new byte[100_000];
        Arrays.fill(deep, (byte) (15 << 4 | ThriftType.STRUCT));
        assertThat(refusal(joined(
                        ParquetMagic.bytes(), deep, new byte[] {(byte) 0xa0, (byte) 0x86, 1, 0}, ParquetMagic.bytes())))
                .contains("deep in each other");
        assertThat(refusal(file(new byte[0], to -> {
                    to.list(2, ThriftType.STRUCT, 1_000);
                    for (int i = 0; i < 1_000; i++) {
                        to.element().text(4, "x").i32(5, 1).end();
                    }
                })))
                .contains("deep");
    }

    /** The path of each has the name of the group in it: two thousand million letters, if all were made. */
    @Test
    void columnsOfALongNameAreCountedBeforeTheyAreNamed() {
        int columns = 500_000;
        byte[] many = file(new byte[0], to -> {
            to.list(2, ThriftType.STRUCT, 2 + columns);
            to.element().text(4, "schema").i32(5, 1).end();
            to.element().text(4, "g".repeat(4000)).i32(5, columns).end();
            for (int i = 0; i < columns; i++) {
                to.element()
                        .i32(1, PhysicalType.INT32.ordinal())
                        .i32(3, 0)
                        .text(4, "x")
                        .end();
            }
            to.i64(3, 0).list(4, ThriftType.STRUCT, 0);
        });
        long before = allocated();
        assertThat(Damaged.refusal(folder, many))
                .contains("has more than 10000 columns, which are the most that Stoker reads");
        assertThat(allocated() - before).isLessThan(500L << 20);
    }

    /** Bytes of heap that this thread has asked for. */
    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    @Test
    void rowsWithoutBytesAreRefused() {
        // A run of two thousand million zeros in a dictionary of one value.
        byte[] dictionary = joined(
                new ThriftWriter()
                        .element()
                        .i32(1, PageType.DICTIONARY)
                        .i32(2, 4)
                        .i32(3, 4)
                        .struct(7)
                        .i32(1, 1)
                        .i32(2, 0)
                        .end()
                        .end()
                        .toBytes(),
                new byte[4]);
        byte[] run = page(2_000_000_000, Encoding.RLE_DICTIONARY, 6, new byte[] {0, -1, -1, -1, -1, 15});
        assertThat(refusal(file(joined(dictionary, run), to -> footer(to, PhysicalType.INT32, 0, 2_000_000_000))))
                .contains("2000000000 values is more than a file of this size holds");
    }

    /** Many chunks that begin at one long row of empty pages would take the square of the file's size. */
    @Test
    void pagesAreNotReadWithoutEnd() {
        var pages = new ByteArrayOutputStream();
        byte[] empty = page(0, Encoding.PLAIN, 0);
        for (int i = 0; i < 100_000; i++) {
            pages.writeBytes(empty);
        }
        pages.writeBytes(page(1, Encoding.PLAIN, 4, new byte[4]));
        assertThat(refusal(file(pages.toByteArray(), to -> {
                    column(to, PhysicalType.INT32);
                    to.i64(3, 10_000).list(4, ThriftType.STRUCT, 10_000);
                    for (int g = 0; g < 10_000; g++) {
                        to.element()
                                .list(1, ThriftType.STRUCT, 1)
                                .element()
                                .i64(2, 0)
                                .struct(3);
                        to.i32(1, PhysicalType.INT32.ordinal()).list(2, ThriftType.I32, 0);
                        to.i32(4, 0)
                                .i64(5, 1)
                                .i64(6, 1)
                                .i64(7, 1)
                                .i64(9, 4)
                                .end()
                                .end();
                        to.i64(3, 1).end();
                    }
                })))
                .contains("a page of 0 values is more than a file of this size holds");
    }

    @Test
    void pagesThatCannotGrowSoMuchAreRefused() {
        for (int codec : new int[] {1, 2, 7}) {
            byte[] page = page(1, Encoding.PLAIN, 900_000_000, new byte[20]);
            assertThat(refusal(file(page, to -> footer(to, PhysicalType.INT32, codec, 1))))
                    .contains("20 bytes")
                    .contains("cannot make 900000000 bytes");
        }
        byte[] page = page(1, Encoding.PLAIN, Integer.MAX_VALUE, new byte[20]);
        assertThat(refusal(file(page, to -> footer(to, PhysicalType.INT32, 6, 1))))
                .contains("at most 1073741824");
    }

    @Test
    void unknownThingsAreRefusedByName() {
        byte[] page = page(1, Encoding.PLAIN, 4, new byte[4]);
        String[] names = {"lzo", "brotli", "lz4 (of Hadoop)"};
        for (int codec = 3; codec <= 5; codec++) {
            int number = codec;
            assertThat(refusal(file(page, to -> footer(to, PhysicalType.INT32, number, 1))))
                    .contains("column 'x' is compressed with " + names[codec - 3] + ", which Stoker does not read");
        }
        assertThat(refusal(file(page, to -> footer(to, PhysicalType.INT32, 77, 1))))
                .contains("codec 77");
        byte[] unknown = page(1, Encoding.BIT_PACKED, 4, new byte[4]);
        assertThat(refusal(file(unknown, to -> footer(to, PhysicalType.INT32, 0, 1))))
                .contains("BIT_PACKED");
        assertThat(refusal(file(page, to -> footer(to, PhysicalType.INT96, 0, 1))))
                .contains(
                        "there is none that Stoker reads; left out: x (column of type INT96): fields have no such type");
        assertThat(refusal(file(page, to -> footer(to, PhysicalType.INT32, 0, 1))))
                .isEmpty();
    }

    /** Values that share all of the one before them would unfold without end. */
    @Test
    void prefixesDoNotUnfoldWithoutEnd() {
        int values = 100_000;
        byte[] body = joined(deltas(values, 0, 1), deltas(values, 1, 0), new byte[values]);
        byte[] page = page(values, Encoding.DELTA_BYTE_ARRAY, body.length, body);
        assertThat(refusal(file(page, to -> footer(to, PhysicalType.BYTE_ARRAY, 0, values))))
                .contains("would take more than 268435456 bytes");
    }

    /** Numbers with one difference, as DELTA_BINARY_PACKED. */
    private static byte[] deltas(int count, int first, int difference) {
        var out = new ByteArrayOutputStream();
        varint(out, 128);
        varint(out, 1);
        varint(out, count);
        varint(out, 2L * first);
        for (int done = 1; done < count; done += 128) {
            varint(out, 2L * difference);
            out.write(0);
        }
        return out.toByteArray();
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        long rest = value;
        for (; rest > 0x7f; rest >>>= 7) {
            out.write((int) (rest & 0x7f | 0x80));
        }
        out.write((int) rest);
    }

    private byte[] small() {
        var fields = new ArrayList<Field>();
        for (String type : List.of(
                "text",
                "bytes",
                "text[]",
                "int64",
                "uint8",
                "bool",
                "float32[2,3]",
                "uint8[5,4]",
                "bool[*]",
                "int32[*,*]")) {
            fields.add(new Field("field of " + type, FieldType.of(type)));
        }
        var options = new FormatOptions(Map.of(), Map.of(ParquetFormat.ROWS_PER_GROUP, "2"));
        var workshop = new Workshop(new ParquetFormat(), options, folder, seed.random());
        return Workshop.read(workshop.pack(
                workshop.randomSamples().next(new Schema(fields, List.of("a", "b")), 5), "small"));
    }

    @Test
    void flippedBitsNeverEscape() {
        byte[] whole = small();
        RandomGenerator random = seed.random();
        Assertions.assertTimeoutPreemptively(Duration.ofMinutes(2), () -> {
            int refused = 0;
            for (int i = 0; i < 2000; i++) {
                byte[] damaged = whole.clone();
                for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                    damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
                }
                refused += Damaged.refusal(folder, damaged).isEmpty() ? 0 : 1;
            }
            assertThat(refused).isBetween(200, 1990);
        });
    }

    /** Whole bytes and numbers, where single bits seldom make an extreme value. */
    @Test
    void overwrittenNumbersNeverEscape() {
        byte[] whole = small();
        RandomGenerator random = seed.random();
        byte[][] extremes = {
            {-1, -1, -1, -1, 15},
            {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1},
            {-1, -1, -1, 127},
            {0, 0, 0, 0},
            {-128, -128, 0}
        };
        Assertions.assertTimeoutPreemptively(Duration.ofMinutes(2), () -> {
            for (int at = 0; at + 10 <= whole.length; at++) {
                byte[] damaged = whole.clone();
                byte[] extreme = extremes[random.nextInt(extremes.length)];
                System.arraycopy(extreme, 0, damaged, at, extreme.length);
                Damaged.refusal(folder, damaged);
            }
        });
    }
}
