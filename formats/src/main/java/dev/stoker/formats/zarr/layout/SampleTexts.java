package dev.stoker.formats.zarr.layout;

import dev.stoker.StokerException;
import dev.stoker.format.RunWriter;
import dev.stoker.format.SmallValues;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;

/** The texts of the samples of one field. */
public interface SampleTexts {
    /** Longer ones are more than a string array of NumPy can take. */
    long MAX_BYTES = Integer.MAX_VALUE;

    int count(long sample);

    /** Bytes of one text. */
    long length(long sample, int text);

    /** Gives the texts {@code from … to - 1} of a sample, each behind its length as {@code u32}. */
    void put(long sample, int from, int to, RunWriter out);

    /** A field of text: one for each sample. */
    record One(Samples samples, int field) implements SampleTexts {
        @Override
        public int count(long sample) {
            return 1;
        }

        @Override
        public long length(long sample, int text) {
            return samples.length(sample, field);
        }

        @Override
        public void put(long sample, int from, int to, RunWriter out) {
            if (from < to) {
                out.put(u32(samples.length(sample, field)));
                out.value(sample, field);
            }
        }
    }

    /** A field of lists of texts; keeps the list that was asked for last, so it is for one thread. */
    final class Listed implements SampleTexts {
        private final Samples samples;
        private final int field;
        private long current = -1;
        private MemorySegment list = MemorySegment.NULL;
        private int count;

        public Listed(Samples samples, int field) {
            this.samples = samples;
            this.field = field;
        }

        private void load(long sample) {
            if (sample == current) {
                return;
            }
            list = MemorySegment.ofArray(SmallValues.read(samples, sample, field));
            count = list.byteSize() < 4 ? -1 : list.get(LittleEndian.U32, 0);
            boolean isList = count >= 0 && count <= (list.byteSize() - 4) / 4;
            long room = list.byteSize() - 4 - 4L * count;
            for (int t = 0; isList && t < count; t++) {
                isList = end(t) >= start(t) && end(t) <= room;
            }
            if (!isList) {
                throw new StokerException(samples.describe(sample) + ": field '"
                        + samples.schema().fields().get(field).name() + "' holds no list of texts");
            }
            current = sample;
        }

        private long start(int text) {
            return text == 0 ? 0 : end(text - 1);
        }

        private long end(int text) {
            return Integer.toUnsignedLong(list.get(LittleEndian.U32, 4 + 4L * text));
        }

        @Override
        public int count(long sample) {
            load(sample);
            return count;
        }

        @Override
        public long length(long sample, int text) {
            load(sample);
            return end(text) - start(text);
        }

        @Override
        public void put(long sample, int from, int to, RunWriter out) {
            load(sample);
            for (int text = from; text < to; text++) {
                out.put(u32(end(text) - start(text)));
                out.put(list.asSlice(4 + 4L * count + start(text), end(text) - start(text)));
            }
        }
    }

    static MemorySegment u32(long value) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[4]);
        bytes.set(LittleEndian.U32, 0, (int) value);
        return bytes;
    }
}
