package dev.stoker.formats.shared.array;

import dev.stoker.format.Run;
import dev.stoker.format.RunWriter;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** A table whose rows are computed: references, offsets, shapes. */
public abstract class TableArea extends Area {
    public static final long ROWS_PER_RUN = 1 << 16;
    private static final int BUFFER_BYTES = 1 << 16;

    private final long rows;
    private final int width;

    protected TableArea(long rows, int width) {
        this.rows = rows;
        this.width = width;
    }

    /** Gives the rows {@code first … end - 1}, each as {@link #width} bytes of numbers. */
    protected abstract void rows(long first, long end, Numbers out);

    @Override
    public final long length() {
        return Math.multiplyExact(rows, width);
    }

    @Override
    public final List<Run> runs() {
        return rowRuns(rows, width, ROWS_PER_RUN);
    }

    @Override
    public final void fill(Run run, RunWriter out) {
        long first = (run.offset() - offset()) / width;
        var numbers = new Numbers(out);
        rows(first, first + run.length() / width, numbers);
        numbers.flush();
    }

    /** Gathers numbers, so that a run is not written in pieces of a few bytes. */
    public static final class Numbers {
        private final RunWriter out;
        private final MemorySegment buffer = MemorySegment.ofArray(new byte[BUFFER_BYTES]);
        private long filled;

        public Numbers(RunWriter out) {
            this.out = out;
        }

        public void u32(long value) {
            room(4);
            buffer.set(LittleEndian.U32, filled, (int) value);
            filled += 4;
        }

        public void u64(long value) {
            room(8);
            buffer.set(LittleEndian.U64, filled, value);
            filled += 8;
        }

        private void room(int bytes) {
            if (filled > BUFFER_BYTES - bytes) {
                flush();
            }
        }

        public void flush() {
            out.put(buffer.asSlice(0, filled));
            filled = 0;
        }
    }
}
