package dev.stoker.format;

import dev.stoker.index.BlockMeta;
import dev.stoker.index.Index;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.index.Placement;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Stoker's own container: an Index and the samples' bytes in one file, specified in {@code docs/format/index.md}.
 *
 * <pre>
 *   Index     header, section table, META, and for each field EXTENTS, CHECKSUMS, SHAPES and VALUES as it needs them
 *   VALUES    a fixed-length field: all its values without gaps, so that the column maps as one array
 *   DATA      sample after sample: its variable-length fields, each at a multiple of 8 bytes (arrays: 64)
 * </pre>
 *
 * With the setting {@code compression} (zstd, lz4 or zlib) all fields but keys and narrow numbers are compressed in groups
 * of samples that have about {@code block} bytes together, each field of a group being a block; DATA then holds the blocks
 * as they are stored, and BLOCKS says where. A block that does not get smaller is stored as it is.
 *
 * <p>Keys and numbers are kept in the Index part; nothing has to be read twice to list them.
 */
public final class StkFormat extends AbstractFormat {
    public StkFormat() {
        super("stk", List.of("stk"), EnumSet.allOf(Capability.class));
    }

    @Override
    public boolean matches(Path path, MemorySegment head) {
        return Index.matches(head);
    }

    @Override
    public Set<String> settings() {
        return Set.of(BlockPlanner.COMPRESSION, BlockPlanner.BLOCK);
    }

    @Override
    protected Plan newPlan(Samples samples, FormatOptions options) {
        return new StkPlan(samples, options, null);
    }

    @Override
    public @Nullable BlockPlan compress(Samples samples, FormatOptions options) {
        String codec = BlockPlanner.codec(name(), options, Set.of("zstd", "lz4", "zlib"));
        List<Integer> fields = IntStream.range(0, samples.schema().size())
                .filter(f -> isInFile(placement(samples.schema().fields().get(f))))
                .boxed()
                .toList();
        if (codec == null || fields.isEmpty()) {
            return null;
        }
        long[] groups = BlockPlanner.groups(samples, fields, BlockPlanner.bytes(options));
        return new BlockPlan(fields, groups, codec, false, true);
    }

    @Override
    protected Plan newPlan(Samples samples, FormatOptions options, CompressedBlocks blocks) {
        return new StkPlan(samples, options, blocks);
    }

    /** Whether a field's values are not kept with the Index. */
    private static boolean isInFile(Placement placement) {
        return placement.place() == Placement.Place.FILE;
    }

    private static boolean isInData(Placement placement) {
        return isInFile(placement) && !placement.dense();
    }

    @Override
    public CollectingLayout collecting(Schema schema) {
        return new StkCollectingLayout(schema);
    }

    private static Placement placement(Field field) {
        FieldType type = field.type();
        if (field.name().equals(Field.KEY) && !type.isFixed()) {
            return Placement.indexed(false);
        }
        if (!type.isFixed()) {
            return Placement.stored();
        }
        return type.width() > Placement.NARROW ? Placement.storedInSection() : Placement.indexed(true);
    }

    private static final class StkPlan implements Plan {
        private final Samples samples;
        private final IndexLayout index;
        private final PlanOutline outline;
        /** The variable-length fields that lie in DATA, in the order of the schema. */
        private final int[] dataFields;

        private final @Nullable CompressedBlocks blocks;

        private final List<Run> runs = new ArrayList<>();
        private final int dataRuns;
        private final List<Integer> wideFields = new ArrayList<>();
        private final int[] wideFieldOfRun;

        StkPlan(Samples samples, FormatOptions options, @Nullable CompressedBlocks blocks) {
            this.samples = samples;
            this.blocks = blocks;
            Schema schema = samples.schema();
            var placements = new ArrayList<Placement>();
            for (Field field : schema.fields()) {
                Placement placement = placement(field);
                placements.add(blocks != null && isInFile(placement) ? Placement.blocks() : placement);
            }
            this.dataFields = IntStream.range(0, schema.size())
                    .filter(f -> isInData(placement(schema.fields().get(f))))
                    .toArray();
            var cut = new RunPlanner();
            List<Run> data = blocks == null ? cutSamples(cut) : cutBlocks(cut, blocks);
            this.index = layout(options.renamed(schema), placements, cut.position());
            for (Run run : data) {
                runs.add(new Run(run.first(), run.end(), index.data() + run.offset(), run.length()));
            }
            this.dataRuns = runs.size();
            for (int f = 0; f < schema.size(); f++) {
                if (placements.get(f).place() == Placement.Place.FILE
                        && placements.get(f).dense()) {
                    addWideField(f);
                }
            }
            this.wideFieldOfRun =
                    wideFields.stream().mapToInt(Integer::intValue).toArray();
            this.outline = new PlanOutline(index, index.length(), runs);
        }

        private List<Run> cutSamples(RunPlanner cut) {
            for (long i = 0; i < samples.count(); i++) {
                cut.sample(dataEnd(i, cut.position()));
            }
            return cut.finish();
        }

        private static List<Run> cutBlocks(RunPlanner cut, CompressedBlocks blocks) {
            for (int g = 0; g < blocks.cut().groups(); g++) {
                long stored = 0;
                for (int field : blocks.cut().fields()) {
                    stored += blocks.stored(blocks.cut().block(g, field));
                }
                cut.samples(blocks.cut().end(g) - blocks.cut().first(g), cut.position() + stored);
            }
            return cut.finish();
        }

        private IndexLayout layout(Schema named, List<Placement> placements, long dataBytes) {
            long[] indexed = IndexLayout.indexedBytes(samples, placements);
            if (blocks == null) {
                var meta = new IndexMeta("stk", named, samples.splits(), placements);
                return IndexLayout.container(meta, samples.count(), indexed, dataBytes);
            }
            BlockMeta how = BlockMeta.of(blocks.cut().codec());
            var meta = new IndexMeta("stk", named, samples.splits(), placements, how);
            return IndexLayout.container(
                    meta, samples.count(), indexed, dataBytes, blocks.cut().blocks());
        }

        /** The runs of a fixed-length field too wide to be kept with the Index: a piece of its VALUES each. */
        private void addWideField(int field) {
            long width = samples.schema().type(field).width();
            long base = index.values(field);
            long step = RunPlanner.samplesPerRun(width);
            for (long first = 0; first < samples.count(); first += step) {
                long end = Math.min(samples.count(), first + step);
                runs.add(new Run(first, end, base + first * width, (end - first) * width));
                wideFields.add(field);
            }
        }

        private long dataEnd(long sample, long position) {
            long end = position;
            for (int f : dataFields) {
                end = LittleEndian.align(end, alignment(f)) + samples.length(sample, f);
            }
            return end;
        }

        private int alignment(int field) {
            return samples.schema().type(field) instanceof FieldType.Array ? 64 : 8;
        }

        @Override
        public PlanOutline outline() {
            return outline;
        }

        @Override
        public void fill(int number, RunWriter out) {
            Run run = run(number);
            if (number >= dataRuns) {
                int field = wideFieldOfRun[number - dataRuns];
                for (long i = run.first(); i < run.end(); i++) {
                    out.value(i, field);
                }
                return;
            }
            if (blocks != null) {
                fillBlocks(run, blocks.cut(), out);
                return;
            }
            for (long i = run.first(); i < run.end(); i++) {
                for (int f : dataFields) {
                    out.align(alignment(f));
                    out.value(i, f);
                }
            }
        }

        private static void fillBlocks(Run run, BlockPlan cut, RunWriter out) {
            for (int g = cut.groupAt(run.first()); g < cut.groups() && cut.end(g) <= run.end(); g++) {
                for (int field : cut.fields()) {
                    out.block(cut.block(g, field));
                }
            }
        }
    }
}
