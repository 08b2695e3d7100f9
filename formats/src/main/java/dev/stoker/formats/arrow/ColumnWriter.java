package dev.stoker.formats.arrow;

import dev.stoker.StokerException;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.DType;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Writes one field of the rows {@code first … end - 1} as the buffers of its column: {@link #lay} says how many bytes
 * each takes, {@link #fill} gives them, in the same order.
 */
sealed interface ColumnWriter {
    void lay(long first, long end, BatchLayout to);

    void fill(long first, long end, BodyWriter to);

    static ColumnWriter of(Samples samples, int field, boolean large) {
        int offsetBytes = large ? 8 : 4;
        return switch (samples.schema().type(field)) {
            case FieldType.Bytes _, FieldType.Text _ -> new Runs(samples, field, offsetBytes);
            case FieldType.Texts _ -> new Texts(samples, field, offsetBytes);
            case FieldType.Scalar scalar when scalar.dtype() == DType.BOOL -> new Bits(samples, field);
            case FieldType.Scalar scalar -> new Fixed(field, scalar.width(), -1);
            case FieldType.Tensor tensor ->
                new Fixed(field, tensor.width(), tensor.width() / tensor.dtype().bytes());
            case FieldType.Array array -> new Arrays(samples, field, array, offsetBytes);
        };
    }

    private static long bytes(Samples samples, int field, long first, long end) {
        long bytes = 0;
        for (long i = first; i < end; i++) {
            bytes += samples.length(i, field);
        }
        return bytes;
    }

    /**
     * Numbers and tensors.
     *
     * @param elements of a tensor; -1 for a number
     */
    record Fixed(int field, long width, long elements) implements ColumnWriter {
        @Override
        public void lay(long first, long end, BatchLayout to) {
            long rows = end - first;
            to.node(rows);
            if (elements >= 0) {
                to.node(Math.multiplyExact(rows, elements));
            }
            to.values(first, field, Math.multiplyExact(rows, width));
        }

        @Override
        public void fill(long first, long end, BodyWriter to) {
            to.values(first, end, field, (end - first) * width);
        }
    }

    /** Single bools, a bit each, the lowest bit first. */
    record Bits(Samples samples, int field) implements ColumnWriter {
        @Override
        public void lay(long first, long end, BatchLayout to) {
            to.node(end - first);
            to.buffer((end - first + 7) / 8);
        }

        @Override
        public void fill(long first, long end, BodyWriter to) {
            NumberWriter bits = to.numbers(1, (end - first + 7) / 8);
            MemorySegment bool = MemorySegment.ofArray(new byte[1]);
            for (long i = first; i < end; i += 8) {
                int packed = 0;
                for (int bit = 0; bit < Math.min(8, end - i); bit++) {
                    samples.read(i + bit, field, 0, bool);
                    packed |= (bool.get(ValueLayout.JAVA_BYTE, 0) == 0 ? 0 : 1) << bit;
                }
                bits.put(packed);
            }
            bits.end();
        }
    }

    /** Bytes and text: where each ends, then all of them. */
    record Runs(Samples samples, int field, int offsetBytes) implements ColumnWriter {
        @Override
        public void lay(long first, long end, BatchLayout to) {
            to.node(end - first);
            to.buffer((end - first + 1) * offsetBytes);
            to.values(first, field, bytes(samples, field, first, end));
        }

        @Override
        public void fill(long first, long end, BodyWriter to) {
            NumberWriter offsets = to.numbers(offsetBytes, end - first + 1);
            long at = 0;
            offsets.put(at);
            for (long i = first; i < end; i++) {
                at += samples.length(i, field);
                offsets.put(at);
            }
            offsets.end();
            to.values(first, end, field, at);
        }
    }

    /** Lists of text; each part of a {@link dev.stoker.sample.TextList} goes to a buffer of its own. */
    record Texts(Samples samples, int field, int offsetBytes) implements ColumnWriter {
        @Override
        public void lay(long first, long end, BatchLayout to) {
            long texts = 0;
            long bytes = 0;
            for (long i = first; i < end; i++) {
                long count = count(i);
                texts += count;
                bytes += samples.length(i, field) - start(count);
            }
            to.node(end - first);
            to.buffer((end - first + 1) * offsetBytes);
            to.node(texts);
            to.buffer((texts + 1) * offsetBytes);
            to.buffer(bytes);
        }

        private long count(long sample) {
            MemorySegment count = MemorySegment.ofArray(new byte[4]);
            long length = samples.length(sample, field);
            if (length >= 4) {
                samples.read(sample, field, 0, count);
                long texts = Integer.toUnsignedLong(count.get(LittleEndian.U32, 0));
                if (texts <= (length - 4) / 4) {
                    return texts;
                }
            }
            throw wrong(sample, length + " bytes cannot hold it");
        }

        /** Where the first text begins. */
        private static long start(long count) {
            return 4 + 4 * count;
        }

        private StokerException wrong(long sample, String reason) {
            return new StokerException(samples.describe(sample) + ": field '"
                    + samples.schema().fields().get(field).name() + "' is not a list of text: " + reason);
        }

        @Override
        public void fill(long first, long end, BodyWriter to) {
            NumberWriter lists = to.numbers(offsetBytes, end - first + 1);
            long texts = 0;
            long textBytes = 0;
            lists.put(texts);
            for (long i = first; i < end; i++) {
                texts += count(i);
                textBytes += samples.length(i, field) - start(count(i));
                lists.put(texts);
            }
            lists.end();
            fillEnds(first, end, to.numbers(offsetBytes, texts + 1));
            to.begin(textBytes);
            for (long i = first; i < end; i++) {
                long start = start(count(i));
                MemorySegment bytes = part(samples.length(i, field) - start);
                samples.read(i, field, start, bytes);
                to.out().put(bytes);
            }
            to.out().align(BatchLayout.ALIGNMENT);
        }

        private void fillEnds(long first, long end, NumberWriter offsets) {
            long base = 0;
            offsets.put(base);
            for (long i = first; i < end; i++) {
                long count = count(i);
                MemorySegment ends = part(4 * count);
                samples.read(i, field, 4, ends);
                long last = 0;
                for (long t = 0; t < count; t++) {
                    long textEnd = Integer.toUnsignedLong(ends.get(LittleEndian.U32, 4 * t));
                    if (textEnd < last) {
                        throw wrong(i, "text " + t + " ends before it begins");
                    }
                    last = textEnd;
                    offsets.put(base + last);
                }
                if (last != samples.length(i, field) - start(count)) {
                    throw wrong(i, "its last text should end with it");
                }
                base += last;
            }
            offsets.end();
        }

        private static MemorySegment part(long bytes) {
            return MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
        }
    }

    /** Arrays with a shape of their own: a struct of their elements and their shapes. */
    record Arrays(Samples samples, int field, FieldType.Array type, int offsetBytes) implements ColumnWriter {
        @Override
        public void lay(long first, long end, BatchLayout to) {
            long bytes = bytes(samples, field, first, end);
            long rows = end - first;
            to.node(rows);
            to.node(rows);
            to.buffer((rows + 1) * offsetBytes);
            to.node(bytes / type.dtype().bytes());
            to.values(first, field, bytes);
            to.node(rows);
            to.node(rows * type.rank());
            to.buffer(4 * rows * type.rank());
        }

        @Override
        public void fill(long first, long end, BodyWriter to) {
            NumberWriter offsets = to.numbers(offsetBytes, end - first + 1);
            long elements = 0;
            offsets.put(elements);
            for (long i = first; i < end; i++) {
                elements += samples.length(i, field) / type.dtype().bytes();
                offsets.put(elements);
            }
            offsets.end();
            to.values(first, end, field, elements * type.dtype().bytes());
            NumberWriter shapes = to.numbers(4, (end - first) * type.rank());
            for (long i = first; i < end; i++) {
                for (long dimension : samples.shape(i, field)) {
                    shapes.put(dimension);
                }
            }
            shapes.end();
        }
    }
}
