package dev.stoker.formats.parquet.write;

import dev.stoker.StokerException;
import dev.stoker.format.CompressedBlocks;
import dev.stoker.format.RunWriter;
import dev.stoker.format.SmallValues;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.TextList;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Writes one column: the rows {@code first … end - 1} of it as the body of a data page. {@link #lay} says what {@link
 * #fill} will give.
 */
sealed interface PageWriter {
    /** Bytes that a row adds to a page, nearly: pages are cut by it. */
    long rowBytes(long row);

    Body lay(long first, long end);

    void fill(long first, long end, RunWriter out);

    /**
     * What the body of a page has.
     *
     * @param values as the page's header counts them: in lists the elements, and one for each empty list
     * @param stored bytes as they are written, which may be compressed
     */
    record Body(long values, long bytes, long stored) {
        Body(long values, long bytes) {
            this(values, bytes, bytes);
        }
    }

    private static void putNumber(RunWriter out, MemorySegment four, long number) {
        four.set(LittleEndian.U32, 0, (int) number);
        out.put(four);
    }

    private static MemorySegment four() {
        return MemorySegment.ofArray(new byte[4]);
    }

    /** Numbers and fixed-length bytes as they are. */
    record Fixed(int field, long width) implements PageWriter {
        @Override
        public long rowBytes(long row) {
            return width;
        }

        @Override
        public Body lay(long first, long end) {
            return new Body(end - first, Math.multiplyExact(end - first, width));
        }

        @Override
        public void fill(long first, long end, RunWriter out) {
            for (long i = first; i < end; i++) {
                out.value(i, field);
            }
        }
    }

    /** Integers of one or two bytes, which Parquet stores in four. */
    record Widened(Samples samples, int field, FieldType.Scalar type) implements PageWriter {
        @Override
        public long rowBytes(long row) {
            return 4;
        }

        @Override
        public Body lay(long first, long end) {
            return new Body(end - first, 4 * (end - first));
        }

        @Override
        public void fill(long first, long end, RunWriter out) {
            try (var arena = Arena.ofConfined()) {
                MemorySegment value = arena.allocate(type.width());
                MemorySegment four = four();
                for (long i = first; i < end; i++) {
                    samples.read(i, field, 0, value);
                    putNumber(out, four, ColumnBounds.integer(type.dtype(), value));
                }
            }
        }
    }

    /** Single bools, a bit each, the lowest bit first. */
    record Bits(Samples samples, int field) implements PageWriter {
        /** As many bytes are given at once. */
        private static final int PIECE = 1024;

        @Override
        public long rowBytes(long row) {
            return 1;
        }

        @Override
        public Body lay(long first, long end) {
            return new Body(end - first, (end - first + 7) / 8);
        }

        @Override
        public void fill(long first, long end, RunWriter out) {
            try (var arena = Arena.ofConfined()) {
                MemorySegment bool = arena.allocate(1);
                for (long i = first; i < end; i += 8 * PIECE) {
                    int count = (int) Math.min(8 * PIECE, end - i);
                    var bits = new byte[(count + 7) / 8];
                    for (int b = 0; b < count; b++) {
                        samples.read(i + b, field, 0, bool);
                        bits[b / 8] |= (byte) ((bool.get(ValueLayout.JAVA_BYTE, 0) == 0 ? 0 : 1) << b % 8);
                    }
                    out.put(bits);
                }
            }
        }
    }

    /** Bytes and text: before each its length. */
    record ByteArrays(Samples samples, int field) implements PageWriter {
        @Override
        public long rowBytes(long row) {
            return 4 + samples.length(row, field);
        }

        @Override
        public Body lay(long first, long end) {
            long bytes = 4 * (end - first);
            for (long i = first; i < end; i++) {
                bytes = Math.addExact(bytes, samples.length(i, field));
            }
            return new Body(end - first, bytes);
        }

        @Override
        public void fill(long first, long end, RunWriter out) {
            MemorySegment four = four();
            for (long i = first; i < end; i++) {
                putNumber(out, four, samples.length(i, field));
                out.value(i, field);
            }
        }
    }

    /** Bytes and text, compressed before: a page is a block. */
    record Compressed(CompressedBlocks blocks, int field) implements PageWriter {
        @Override
        public long rowBytes(long row) {
            throw new IllegalStateException("these pages are cut already");
        }

        private int block(long first) {
            return blocks.cut().block(blocks.cut().groupAt(first), field);
        }

        @Override
        public Body lay(long first, long end) {
            return new Body(end - first, blocks.decoded(block(first)), blocks.stored(block(first)));
        }

        @Override
        public void fill(long first, long end, RunWriter out) {
            out.block(block(first));
        }
    }

    /** Lists of numbers: the levels, then the elements of all rows, so that each row's lie together. */
    record NumberLists(Samples samples, int field, int elementBytes) implements PageWriter {
        @Override
        public long rowBytes(long row) {
            return 4 + samples.length(row, field);
        }

        private ListLevels levels(long first, long end) {
            var levels = new ListLevels();
            for (long i = first; i < end; i++) {
                levels.add(samples.length(i, field) / elementBytes);
            }
            return levels;
        }

        @Override
        public Body lay(long first, long end) {
            ListLevels levels = levels(first, end);
            long bytes = levels.finish().length;
            for (long i = first; i < end; i++) {
                bytes = Math.addExact(bytes, samples.length(i, field));
            }
            return new Body(levels.entries(), bytes);
        }

        @Override
        public void fill(long first, long end, RunWriter out) {
            out.put(levels(first, end).finish());
            for (long i = first; i < end; i++) {
                out.value(i, field);
            }
        }
    }

    /** The dimensions of arrays: lists of one length. */
    record Shapes(Samples samples, int field, int rank) implements PageWriter {
        @Override
        public long rowBytes(long row) {
            return 4 + 4L * rank;
        }

        private ListLevels levels(long rows) {
            var levels = new ListLevels();
            for (long i = 0; i < rows; i++) {
                levels.add(rank);
            }
            return levels;
        }

        @Override
        public Body lay(long first, long end) {
            ListLevels levels = levels(end - first);
            for (long i = first; i < end; i++) {
                check(i);
            }
            return new Body(levels.entries(), levels.finish().length + 4L * rank * (end - first));
        }

        private void check(long sample) {
            for (long dimension : samples.shape(sample, field)) {
                if (dimension > Integer.MAX_VALUE) {
                    throw new StokerException(samples.describe(sample) + ": field '"
                            + samples.schema().fields().get(field).name() + "' has a dimension of " + dimension
                            + ", but in a Parquet file it is at most " + Integer.MAX_VALUE
                            + "; choose another format, such as stk");
                }
            }
        }

        @Override
        public void fill(long first, long end, RunWriter out) {
            out.put(levels(end - first).finish());
            MemorySegment four = four();
            for (long i = first; i < end; i++) {
                for (long dimension : samples.shape(i, field)) {
                    putNumber(out, four, dimension);
                }
            }
        }
    }

    /** Lists of text: the levels, then the texts of all rows, before each its length. */
    record TextLists(Samples samples, int field) implements PageWriter {
        @Override
        public long rowBytes(long row) {
            return 4 + samples.length(row, field);
        }

        private List<MemorySegment> texts(long sample) {
            try {
                MemorySegment value = MemorySegment.ofArray(SmallValues.read(samples, sample, field));
                List<MemorySegment> texts = TextList.parts(value);
                long bytes = texts.stream().mapToLong(MemorySegment::byteSize).sum();
                if (4 + 4L * texts.size() + bytes != value.byteSize()) {
                    throw new StokerException("the last text of a list should end with it");
                }
                return texts;
            } catch (StokerException e) {
                throw new StokerException(
                        samples.describe(sample) + ": field '"
                                + samples.schema().fields().get(field).name() + "': " + e.getMessage(),
                        e);
            }
        }

        @Override
        public Body lay(long first, long end) {
            var levels = new ListLevels();
            long bytes = 0;
            for (long i = first; i < end; i++) {
                List<MemorySegment> texts = texts(i);
                levels.add(texts.size());
                for (MemorySegment text : texts) {
                    bytes += 4 + text.byteSize();
                }
            }
            return new Body(levels.entries(), levels.finish().length + bytes);
        }

        @Override
        public void fill(long first, long end, RunWriter out) {
            var levels = new ListLevels();
            for (long i = first; i < end; i++) {
                levels.add(texts(i).size());
            }
            out.put(levels.finish());
            MemorySegment four = four();
            for (long i = first; i < end; i++) {
                for (MemorySegment text : texts(i)) {
                    putNumber(out, four, text.byteSize());
                    out.put(text);
                }
            }
        }
    }
}
