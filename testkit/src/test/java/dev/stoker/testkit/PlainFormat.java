package dev.stoker.testkit;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.format.AbstractFormat;
import dev.stoker.format.Capability;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.format.PlanOutline;
import dev.stoker.format.Run;
import dev.stoker.format.RunPlanner;
import dev.stoker.format.RunWriter;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.index.Placement;
import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;

/**
 * The least that a format with a sidecar can be, so that the contract and the sidecar are tried without any real one:
 * magic, u64 count, u64 CRC32C of the lengths, u64 length of each {@code data}, then these. All else is in the sidecar.
 */
public final class PlainFormat extends AbstractFormat {
    private static final byte[] MAGIC = {'P', 'L', 'A', 'I', 'N', '\r', '\n', 0};
    private static final int HEAD = 24;

    public PlainFormat() {
        super(
                "plain",
                List.of("plain"),
                EnumSet.of(
                        Capability.WRITE,
                        Capability.PARALLEL_FILL,
                        Capability.SINGLE_FILE,
                        Capability.VARIABLE_LENGTH,
                        Capability.IN_PLACE));
    }

    @Override
    public boolean matches(Path path, MemorySegment head) {
        return head.byteSize() >= MAGIC.length
                && Arrays.equals(head.asSlice(0, MAGIC.length).toArray(ValueLayout.JAVA_BYTE), MAGIC);
    }

    @Override
    protected Plan newPlan(Samples samples, FormatOptions options) {
        int data = samples.schema().find(Field.DATA);
        if (data < 0 || !(samples.schema().type(data) instanceof FieldType.Bytes)) {
            throw new StokerException("format plain needs a field 'data' of bytes");
        }
        refuseSameKeys(samples);
        return new PlainPlan(samples, data);
    }

    private static void refuseSameKeys(Samples samples) {
        int key = samples.schema().find(Field.KEY);
        if (key < 0) {
            throw new StokerException("format plain needs a field 'key'");
        }
        var keys = new HashSet<String>();
        for (long i = 0; i < samples.count(); i++) {
            String text = new String(Same.bytes(samples, i, key), java.nio.charset.StandardCharsets.UTF_8);
            if (!keys.add(text)) {
                throw new StokerException("two samples have the key '" + text + "'");
            }
        }
    }

    @Override
    public IndexBuilder derive(MappedFile file) {
        MemorySegment bytes = file.bytes();
        long size = bytes.byteSize();
        check(file, size >= HEAD && matches(file.path(), bytes), 0, "the magic number should stand here");
        long count = bytes.get(LittleEndian.U64, 8);
        check(file, count >= 0 && count <= (size - HEAD) / 8, 8, "the file cannot hold " + count + " samples");
        long sum = Integer.toUnsignedLong(Checksum.of(bytes.asSlice(HEAD, 8 * count)));
        check(file, sum == bytes.get(LittleEndian.U64, 16), 16, "the checksum of the lengths does not fit");
        var index = new IndexBuilder(
                new Schema(List.of(new Field(Field.DATA, new FieldType.Bytes()))), List.of(Placement.stored()));
        long at = HEAD + 8 * count;
        for (long i = 0; i < count; i++) {
            long length = bytes.get(LittleEndian.U64, HEAD + 8 * i);
            check(file, length >= 0 && length <= size - at, at, length + " bytes should be here; it is truncated");
            index.stored(0, at, length);
            at += length;
        }
        check(file, at == size, at, "the file should end here but has " + size + " bytes");
        return index;
    }

    private static void check(MappedFile file, boolean good, long offset, String reason) {
        if (!good) {
            throw new CorruptContainerException(file.name(), offset, reason);
        }
    }

    private static final class PlainPlan implements Plan {
        private final Samples samples;
        private final int data;
        private final PlanOutline outline;

        PlainPlan(Samples samples, int data) {
            this.samples = samples;
            this.data = data;
            long head = HEAD + 8 * samples.count();
            var runs = new ArrayList<Run>();
            runs.add(Run.frame(0, head));
            var cutter = new RunPlanner(head);
            for (long i = 0; i < samples.count(); i++) {
                cutter.sample(cutter.position() + samples.length(i, data));
            }
            runs.addAll(cutter.finish());
            var placements = new ArrayList<Placement>();
            for (int f = 0; f < samples.schema().size(); f++) {
                boolean isFixed = samples.schema().type(f).isFixed();
                placements.add(f == data ? Placement.stored() : Placement.indexed(isFixed));
            }
            var meta = new IndexMeta("plain", samples.schema(), samples.splits(), placements);
            this.outline = new PlanOutline(IndexLayout.sidecar(meta, samples), cutter.position(), runs);
        }

        @Override
        public PlanOutline outline() {
            return outline;
        }

        @Override
        public void fill(int number, RunWriter out) {
            if (number == 0) {
                fillHead(out);
                return;
            }
            for (long i = run(number).first(); i < run(number).end(); i++) {
                out.value(i, data);
            }
        }

        private void fillHead(RunWriter out) {
            MemorySegment lengths = MemorySegment.ofArray(new byte[Math.toIntExact(8 * samples.count())]);
            for (long i = 0; i < samples.count(); i++) {
                lengths.set(LittleEndian.U64, 8 * i, samples.length(i, data));
            }
            MemorySegment head = MemorySegment.ofArray(Arrays.copyOf(MAGIC, HEAD));
            head.set(LittleEndian.U64, 8, samples.count());
            head.set(LittleEndian.U64, 16, Integer.toUnsignedLong(Checksum.of(lengths)));
            out.put(head);
            out.put(lengths);
        }
    }
}
