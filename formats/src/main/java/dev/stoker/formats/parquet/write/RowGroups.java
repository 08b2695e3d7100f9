package dev.stoker.formats.parquet.write;

import dev.stoker.format.BlockPlanner;
import dev.stoker.format.FormatOptions;
import dev.stoker.formats.parquet.ParquetFormat;
import dev.stoker.sample.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** Which rows make which row group. */
public final class RowGroups {
    /** As others have it: a reader takes a row group at a time. */
    private static final long GROUP_BYTES = 128 << 20;

    static final long DEFAULT_ROWS = 1 << 20;

    private final long rows;
    private long[] firsts = new long[16];
    private int count;

    /** Cuts the samples as the options ask. */
    public static RowGroups of(Samples samples, FormatOptions options) {
        return new RowGroups(samples, options.count(ParquetFormat.ROWS_PER_GROUP, DEFAULT_ROWS));
    }

    /** Cuts each group into smaller ones of about so many bytes of some fields; for each the row behind its last. */
    public long[] blocks(Samples samples, List<Integer> fields, long bytes) {
        return LongStream.range(0, count)
                .flatMap(g ->
                        Arrays.stream(BlockPlanner.groups(samples, fields, first((int) g), first((int) g + 1), bytes)))
                .toArray();
    }

    /**
     * Cuts the samples.
     *
     * @param mostRows how many rows a group has at most
     */
    RowGroups(Samples samples, long mostRows) {
        this.rows = samples.count();
        long bytes = 0;
        for (long row = 0; row < rows; row++) {
            long more = 0;
            for (int f = 0; f < samples.schema().size(); f++) {
                more += samples.length(row, f);
            }
            if (row == 0 || row - firsts[count - 1] >= mostRows || bytes + more > GROUP_BYTES) {
                begin(row);
                bytes = 0;
            }
            bytes += more;
        }
    }

    private void begin(long first) {
        if (count == firsts.length) {
            firsts = Arrays.copyOf(firsts, 2 * count);
        }
        firsts[count++] = first;
    }

    int count() {
        return count;
    }

    long first(int group) {
        return group == count ? rows : firsts[group];
    }
}
