package dev.stoker.formats.tar;

import dev.stoker.StokerException;
import dev.stoker.format.Plan;
import dev.stoker.format.PlanOutline;
import dev.stoker.format.Run;
import dev.stoker.format.RunPlanner;
import dev.stoker.format.RunWriter;
import dev.stoker.format.SmallValues;
import dev.stoker.format.TreeKeys;
import dev.stoker.formats.shared.tar.TarHeader;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Npy;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A tar before its first byte is written. */
final class TarPlan implements Plan {
    private static final int END_BYTES = 2 * TarHeader.BLOCK;

    private final Samples samples;
    private final TarLayout layout;
    /** The extensions of a sample's further members, in small letters. */
    private final Set<String> suffixes;

    private final byte[] comment;
    private final PlanOutline outline;

    TarPlan(Samples samples, TarLayout layout) {
        this.samples = samples;
        this.layout = layout;
        this.suffixes = layout.suffixes().stream()
                .map(suffix -> suffix.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        byte[] text = layout.comment(samples.count());
        if (text.length > TarWalker.MAX_GLOBAL_BYTES - 64) {
            throw new StokerException("format tar has room for " + TarWalker.MAX_GLOBAL_BYTES
                    + " bytes of field and class names, but there are " + text.length);
        }
        this.comment = TarHeader.comment(text);
        var measure = new Measure(comment.length);
        var cut = new RunPlanner(comment.length);
        byte[] previous = null;
        var keys = new SmallValues(samples, layout.key());
        for (long i = 0; i < samples.count(); i++) {
            byte[] name = layout.key() >= 0 ? keys.read(i) : number(i);
            requireHoldable(name, previous);
            fillSample(i, name, measure);
            cut.sample(measure.position());
            previous = name;
        }
        var runs = new ArrayList<Run>();
        runs.add(Run.frame(0, comment.length));
        runs.addAll(cut.finish());
        runs.add(Run.frame(cut.position(), END_BYTES));
        var meta = new IndexMeta(TarFormat.NAME, layout.schema(), samples.splits(), layout.placements());
        this.outline = new PlanOutline(IndexLayout.sidecar(meta, samples), cut.position() + END_BYTES, runs);
    }

    private byte[] name(long sample) {
        return layout.key() >= 0 ? SmallValues.read(samples, sample, layout.key()) : number(sample);
    }

    private byte[] number(long sample) {
        return TarNames.numbered(sample, layout.isNpy(layout.data()));
    }

    private void requireHoldable(byte[] name, byte @Nullable [] previous) {
        String refusal = TreeKeys.refusal(name);
        if (refusal == null && name.length > TarWalker.MAX_NAME_BYTES) {
            refusal = "it has " + name.length + " bytes, more than " + TarWalker.MAX_NAME_BYTES;
        }
        if (refusal != null) {
            throw new StokerException("format tar cannot hold the key '" + TarNames.text(name) + "': " + refusal);
        }
        if (suffixes.isEmpty()) {
            return;
        }
        if (suffixes.contains(TarNames.extension(name))) {
            throw new StokerException("format tar cannot hold the key '" + TarNames.text(name)
                    + "': its label or another field of it needs a member of the same name; choose another format, or"
                    + " pack without that field");
        }
        if (previous != null && TarNames.sameStem(previous, name)) {
            throw new StokerException("format tar cannot hold the keys '" + TarNames.text(previous) + "' and '"
                    + TarNames.text(name) + "' one after the other: members that are alike up to the first dot make"
                    + " one sample for WebDataset, so their labels and fields would be mixed up; rename one, pack"
                    + " without labels, or choose another format");
        }
    }

    @Override
    public PlanOutline outline() {
        return outline;
    }

    @Override
    public void fill(int number, RunWriter out) {
        Run run = run(number);
        if (number == 0) {
            out.put(comment);
        } else if (number == runs() - 1) {
            out.zeros(END_BYTES);
        } else {
            for (long i = run.first(); i < run.end(); i++) {
                fillSample(i, name(i), out);
            }
        }
    }

    private void fillSample(long sample, byte[] name, RunWriter out) {
        if (layout.data() >= 0) {
            putField(sample, name, layout.data(), out);
        } else {
            out.put(TarHeader.file(name, 0));
        }
        if (layout.label() >= 0 && layout.schema().type(layout.label()) instanceof FieldType.Scalar label) {
            byte[] value = SmallValues.read(samples, sample, layout.label());
            String number = JsonNumbers.integerText(label.dtype(), MemorySegment.ofArray(value));
            putText(TarNames.sibling(name, TarLayout.CLASS_SUFFIX), number.getBytes(StandardCharsets.US_ASCII), out);
        }
        if (!layout.json().isEmpty()) {
            putText(TarNames.sibling(name, TarLayout.JSON_SUFFIX), JsonFields.encode(samples, sample, layout), out);
        }
        for (int f : layout.members()) {
            putField(sample, TarNames.sibling(name, layout.suffix(f)), f, out);
        }
    }

    private static void putText(byte[] name, byte[] text, RunWriter out) {
        out.put(TarHeader.file(name, text.length));
        out.put(text);
        out.align(TarHeader.BLOCK);
    }

    private void putField(long sample, byte[] name, int field, RunWriter out) {
        byte[] npy = npyHeader(sample, field);
        out.put(TarHeader.file(name, npy.length + samples.length(sample, field)));
        out.put(npy);
        out.value(sample, field);
        out.align(TarHeader.BLOCK);
    }

    private byte[] npyHeader(long sample, int field) {
        return switch (layout.schema().type(field)) {
            case FieldType.Tensor tensor ->
                Npy.header(
                        tensor.dtype(),
                        tensor.shape().stream().mapToLong(Long::longValue).toArray());
            case FieldType.Array array -> Npy.header(array.dtype(), samples.shape(sample, field));
            default -> new byte[0];
        };
    }

    /** Counts the bytes of a run instead of writing them, so that what is planned is what is filled. */
    private final class Measure implements RunWriter {
        private long position;

        Measure(long position) {
            this.position = position;
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public void put(MemorySegment bytes) {
            position += bytes.byteSize();
        }

        @Override
        public void zeros(long count) {
            position += count;
        }

        @Override
        public void value(long sample, int field) {
            position = Math.addExact(position, samples.length(sample, field));
        }

        @Override
        public void file(byte[] path) {
            throw new IllegalStateException("a tar is one file");
        }
    }
}
