package dev.stoker.formats.arrow;

import dev.stoker.format.AbstractFormat;
import dev.stoker.format.BlockPlan;
import dev.stoker.format.BlockPlanner;
import dev.stoker.format.Capability;
import dev.stoker.format.CollectingLayout;
import dev.stoker.format.CompressedBlocks;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.formats.shared.table.ColumnMetadata;
import dev.stoker.formats.shared.table.TableColumns;
import dev.stoker.index.IndexBuilder;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The Arrow IPC file format (also called Feather version 2).
 *
 * <pre>
 *   "ARROW1" 00 00
 *   schema message                      padded so that what follows lies at a multiple of 64
 *   record batch, for some rows each:
 *     ff ff ff ff, u32 length           the prefix of every message; length counts the metadata with its padding
 *     metadata (FlatBuffers)            length and place of every buffer, padded to a multiple of 64
 *     body                              column after column, buffer after buffer, each at a multiple of 64
 *   ff ff ff ff 00 00 00 00             no more messages
 *   footer (FlatBuffers)                the schema again, and 24 bytes for each record batch: its place and lengths
 *   u32 length of the footer, "ARROW1"
 * </pre>
 *
 * <p><b>Writing.</b> Metadata is of version 5; no column has nulls, so no validity bitmap is written.
 *
 * <pre>
 *   bytes         binary                                     large_binary if a record batch holds 2 GiB or more of it
 *   text          utf8                                       large_utf8 likewise
 *   text[]        list&lt;utf8&gt;                                 large_list&lt;large_utf8&gt; likewise
 *   numbers       int, uint, float; bool as single bits
 *   float32[2,3]  fixed_size_list&lt;float&gt;[6]                  extension arrow.fixed_shape_tensor
 *   float32[*,*]  struct&lt;data: list&lt;float&gt;,                  extension arrow.variable_shape_tensor;
 *                        shape: fixed_size_list&lt;int32&gt;[2]&gt;   stoker.variable_shape_tensor if large_list or bool
 * </pre>
 *
 * In arrays, bool is the extension type {@code arrow.bool8}, one byte each, so that the value lies in the file as it
 * is. The schema's metadata has the key {@code stoker} (see {@link ColumnMetadata}): fields keep their names there,
 * whatever their columns are called, and classes theirs. The setting {@code rows-per-batch} says how many rows a record
 * batch has; without it, {@value ArrowPlan#DEFAULT_ROWS} or as many as make about 16 MiB. With the setting {@code
 * compression} (zstd or lz4) the values of a batch are compressed, offsets and numbers are not; a batch then has about
 * {@code block} bytes of values.
 *
 * <p><b>Reading.</b> Files and streams of metadata version 4 or 5 by any writer, as Hugging Face's cache and
 * {@code save_to_disk}; the columns of a struct by their paths, as {@code image.bytes}. Beside the above: views, large types, fixed-size
 * binary (a {@code uint8} tensor), nested fixed-size lists (a tensor), lists of numbers or of fixed-size lists of them
 * (an array), dictionaries of text, bytes or numbers; dates, times, timestamps and durations (the {@code int32} or
 * {@code int64} that Arrow keeps); batches compressed with zstd or lz4, whose buffers are blocks. A null text, list or run of bytes is an empty one, for a null number stands NaN, -1 or false ({@link dev.stoker.sample.StandIn}); any other
 * null is refused, naming its column. <em>Columns of other types (list of lists or structs, map, union, decimal, interval, ...) are left
 * out</em>; a file that has no others is refused.
 *
 * <p>Numbers and tensors of at most 16 bytes, bits, and lists of text are decoded into the Index; everything else is
 * read where it lies.
 */
public final class ArrowFormat extends AbstractFormat {
    static final String NAME = "arrow";
    static final String ROWS_PER_BATCH = "rows-per-batch";

    public ArrowFormat() {
        super(NAME, List.of("arrow", "feather", "ipc"), EnumSet.complementOf(EnumSet.of(Capability.SPLITS)));
    }

    @Override
    public Set<String> settings() {
        return Set.of(ROWS_PER_BATCH, BlockPlanner.COMPRESSION, BlockPlanner.BLOCK);
    }

    /** A stream has no magic of its own, so its name counts. Also takes Feather version 1, to be refused by its name. */
    @Override
    public boolean matches(Path path, MemorySegment head) {
        return ArrowMagic.isFile(head)
                || ArrowMagic.isFeather1(head)
                || (ArrowMagic.isStream(head) && hasOurEnding(path));
    }

    private boolean hasOurEnding(Path path) {
        String name = String.valueOf(path.getFileName());
        return name.endsWith(".arrows") || extensions().stream().anyMatch(ending -> name.endsWith("." + ending));
    }

    @Override
    protected Plan newPlan(Samples samples, FormatOptions options) {
        return new ArrowPlan(samples, options, null);
    }

    @Override
    public @Nullable BlockPlan compress(Samples samples, FormatOptions options) {
        String codec = BlockPlanner.codec(NAME, options, Set.of("zstd", "lz4"));
        List<Integer> fields = IntStream.range(0, samples.schema().size())
                .filter(f -> ArrowPlan.isInFile(
                        TableColumns.placement(samples.schema().type(f))))
                .boxed()
                .toList();
        if (codec == null || fields.isEmpty()) {
            return null;
        }
        long[] groups = Batches.of(samples, options, true).ends();
        return new BlockPlan(fields, groups, codec.equals("lz4") ? "lz4-frame" : codec, false, true);
    }

    @Override
    protected Plan newPlan(Samples samples, FormatOptions options, CompressedBlocks blocks) {
        return new ArrowPlan(samples, options, blocks);
    }

    @Override
    public CollectingLayout collecting(Schema schema) {
        return new ArrowCollectingLayout(schema);
    }

    @Override
    public IndexBuilder derive(MappedFile file) {
        return ArrowReader.derive(file);
    }
}
