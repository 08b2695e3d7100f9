package dev.stoker.formats.parquet;

import dev.stoker.format.AbstractFormat;
import dev.stoker.format.BlockPlan;
import dev.stoker.format.BlockPlanner;
import dev.stoker.format.Capability;
import dev.stoker.format.CompressedBlocks;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.formats.parquet.read.ParquetReader;
import dev.stoker.formats.parquet.schema.ParquetMagic;
import dev.stoker.formats.parquet.write.ColumnWriters;
import dev.stoker.formats.parquet.write.ParquetPlan;
import dev.stoker.formats.parquet.write.RowGroups;
import dev.stoker.formats.shared.table.ColumnMetadata;
import dev.stoker.index.IndexBuilder;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Apache Parquet.
 *
 * <pre>
 *   "PAR1"
 *   row group, for some rows each:
 *     column chunk, for each column:
 *       page, for some rows each:
 *         header (Thrift)               bytes, values, encodings; its length varies
 *         levels                        lists only: where each begins and whether it is empty
 *         values                        PLAIN, without compression
 *   column indexes (Thrift)             numbers only: the bounds of each page
 *   offset indexes (Thrift)             the place of each page and its first row
 *   footer (Thrift)                     the schema, and for each chunk its place, size and bounds
 *   u32 length of the footer, "PAR1"
 * </pre>
 *
 * <p><b>Writing.</b> All columns are required (never null), all pages of version 1. A row group has about 128 MiB, a
 * page about 1 MiB; a longer value is a page of its own, so that who wants one row reads one page. A page has no CRC,
 * and bytes and text have no bounds: they are not known when the file is planned.
 *
 * <pre>
 *   bytes         BYTE_ARRAY                                  u32 length before each value
 *   text          BYTE_ARRAY (STRING)
 *   text[]        LIST of BYTE_ARRAY (STRING)
 *   numbers       INT32, INT64 (INTEGER), FLOAT, DOUBLE, FIXED_LEN_BYTE_ARRAY(2) (FLOAT16), BOOLEAN
 *   float32[2,3]  LIST of FLOAT, six in each row              any number of 32 bits or more, and float16
 *   uint8[2,3]    FIXED_LEN_BYTE_ARRAY(6)                     8 and 16 bits and bool: a list would take 32 for each
 *   float32[*]    LIST of FLOAT
 *   uint8[*]      BYTE_ARRAY
 *   float32[*,*]  group of data (as float32[*] or uint8[*]) and shape (LIST of INT32)
 * </pre>
 *
 * The elements of a list lie one after another, so that these values too are read where they lie. The footer's metadata
 * has the key {@code stoker} (see {@link ColumnMetadata}): names, types and classes. The setting {@code rows-per-group}
 * says how many rows a row group has at most. With the setting {@code compression} (zstd, snappy or lz4_raw) bytes and
 * text are compressed, page by page of about {@code block} bytes of them together; numbers and lists are not.
 *
 * <p><b>Reading.</b> Files by any writer: pages of both versions; every encoding of the specification up to
 * BYTE_STREAM_SPLIT; dictionaries; snappy, gzip, zstd and lz4_raw. Columns in groups are fields named by their path, as
 * {@code image.bytes}. Lists of numbers are arrays of one dimension, fixed-length bytes are {@code uint8} tensors;
 * dates, times and timestamps are the {@code int32} or {@code int64} that Parquet keeps. A null text, list or run of
 * bytes is an empty one, for a null number stands NaN, -1 or false ({@link dev.stoker.sample.StandIn}); the Index says
 * how many there are. A null of fixed-length bytes is refused, naming its column. <em>Columns of other types
 * (decimals, INT96, maps, lists of lists or of groups, variants) are left out</em>; a file that has no others is
 * refused, as are encrypted files.
 *
 * <p>Numbers and tensors of at most 16 bytes, lists of text, lists of numbers by other writers, and values of encoding
 * DELTA_BYTE_ARRAY or BYTE_STREAM_SPLIT are decoded into the Index. Everything else is read where it lies: in the file,
 * or, if a page of the column is compressed, in blocks. A page's CRC is checked where the page is decoded for the Index.
 *
 * @see <a href="https://github.com/apache/parquet-format">the specification of Parquet</a>
 */
public final class ParquetFormat extends AbstractFormat {
    public static final String NAME = "parquet";
    public static final String ROWS_PER_GROUP = "rows-per-group";
    private static final byte[] ENCRYPTED_MAGIC = "PARE".getBytes(StandardCharsets.US_ASCII);

    public ParquetFormat() {
        super(NAME, List.of("parquet", "pq"), EnumSet.complementOf(EnumSet.of(Capability.SPLITS)));
    }

    @Override
    public Set<String> settings() {
        return Set.of(ROWS_PER_GROUP, BlockPlanner.COMPRESSION, BlockPlanner.BLOCK);
    }

    /** Also takes encrypted files, so that {@link #derive} can refuse them by name. */
    @Override
    public boolean matches(Path path, MemorySegment head) {
        return begins(head, ParquetMagic.bytes()) || begins(head, ENCRYPTED_MAGIC);
    }

    private static boolean begins(MemorySegment head, byte[] magic) {
        return head.byteSize() >= magic.length
                && head.asSlice(0, magic.length).mismatch(MemorySegment.ofArray(magic)) < 0;
    }

    @Override
    protected Plan newPlan(Samples samples, FormatOptions options) {
        return new ParquetPlan(samples, options, null);
    }

    @Override
    public @Nullable BlockPlan compress(Samples samples, FormatOptions options) {
        String codec = BlockPlanner.codec(NAME, options, Set.of("zstd", "snappy", "lz4_raw"));
        List<Integer> fields = IntStream.range(0, samples.schema().size())
                .filter(f -> ColumnWriters.isCompressible(samples.schema().type(f)))
                .boxed()
                .toList();
        if (codec == null || fields.isEmpty()) {
            return null;
        }
        long[] groups = RowGroups.of(samples, options).blocks(samples, fields, BlockPlanner.bytes(options));
        return new BlockPlan(fields, groups, codec.equals("lz4_raw") ? "lz4" : codec, true, false);
    }

    @Override
    protected Plan newPlan(Samples samples, FormatOptions options, CompressedBlocks blocks) {
        return new ParquetPlan(samples, options, blocks);
    }

    @Override
    public IndexBuilder derive(MappedFile file) {
        return new ParquetReader(file).derive();
    }
}
