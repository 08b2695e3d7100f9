package dev.stoker.formats.zarr.write;

import dev.stoker.StokerException;
import dev.stoker.format.Run;
import dev.stoker.format.RunPlanner;
import dev.stoker.format.RunWriter;
import dev.stoker.formats.shared.array.Area;
import dev.stoker.formats.shared.array.Part;
import dev.stoker.formats.zarr.layout.SampleTexts;
import dev.stoker.formats.zarr.layout.Shard;
import dev.stoker.sample.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Texts in chunks as the codec vlen-utf8 has them: {@code u32} how many, then for each {@code u32} length and its bytes.
 * All chunks have as many; what is missing at the end are empty ones.
 */
final class TextArea extends Area implements Shard.Chunks {
    private static final int LENGTH_BYTES = 4;

    private final Samples samples;
    private final Supplier<SampleTexts> source;
    private final Part part;
    private final boolean stored;
    private final long elements;
    private final int perChunk;
    private int chunks;
    /** Where each chunk begins, counted from the area's first byte; and where the last one ends. */
    private long[] starts = new long[16];
    /** The sample, and the text of it, that each chunk begins with. */
    private long[] firstSamples = new long[16];

    private int[] firstTexts = new int[16];

    /** @param stored whether the Index knows the values by their places here: then each sample has one text */
    TextArea(Samples samples, Supplier<SampleTexts> source, Part part, boolean stored) {
        this.samples = samples;
        this.source = source;
        this.part = part;
        this.stored = stored;
        SampleTexts texts = source.get();
        long count = 0;
        long bytes = 0;
        for (long i = part.first(); i < part.end(); i++) {
            for (int t = 0; t < texts.count(i); t++) {
                bytes += LENGTH_BYTES + checked(i, texts.length(i, t));
                count++;
            }
        }
        this.elements = count;
        double usual = count == 0 ? 1 : (double) count / bytes * Shard.chunkBytes(bytes);
        this.perChunk = Math.clamp((long) usual, 1, Math.clamp(count, 1, 1 << 20));
        cut(texts);
    }

    private long checked(long sample, long length) {
        if (length > SampleTexts.MAX_BYTES) {
            throw new StokerException("Zarr cannot hold a text of " + length + " bytes, as " + samples.describe(sample)
                    + " has: at most " + SampleTexts.MAX_BYTES);
        }
        return length;
    }

    private void cut(SampleTexts texts) {
        long at = 0;
        int inChunk = perChunk;
        for (long i = part.first(); i < part.end(); i++) {
            for (int t = 0; t < texts.count(i); t++) {
                if (inChunk == perChunk) {
                    begin(at, i, t);
                    at += LENGTH_BYTES;
                    inChunk = 0;
                }
                at = Math.addExact(at, LENGTH_BYTES + texts.length(i, t));
                inChunk++;
            }
        }
        at += (long) LENGTH_BYTES * (perChunk - inChunk);
        begin(at, part.end(), 0);
        chunks--;
    }

    private void begin(long at, long sample, int text) {
        if (chunks == starts.length) {
            starts = Arrays.copyOf(starts, 2 * chunks);
            firstSamples = Arrays.copyOf(firstSamples, 2 * chunks);
            firstTexts = Arrays.copyOf(firstTexts, 2 * chunks);
        }
        starts[chunks] = at;
        firstSamples[chunks] = sample;
        firstTexts[chunks++] = text;
    }

    /** How many texts there are. */
    long elements() {
        return elements;
    }

    /** How many texts a chunk has. */
    int perChunk() {
        return perChunk;
    }

    @Override
    public int count() {
        return chunks;
    }

    @Override
    public long start(int chunk) {
        return starts[chunk];
    }

    @Override
    public long length() {
        return starts[chunks];
    }

    @Override
    public List<Run> runs() {
        var cut = new RunPlanner(offset());
        for (int chunk = 0; chunk < chunks; chunk++) {
            cut.samples(Math.min(perChunk, elements - (long) chunk * perChunk), offset() + starts[chunk + 1]);
        }
        var runs = new ArrayList<Run>();
        for (Run run : cut.finish()) {
            runs.add(
                    stored
                            ? new Run(part.first() + run.first(), part.first() + run.end(), run.offset(), run.length())
                            : Run.frame(run.offset(), run.length()));
        }
        return runs;
    }

    @Override
    public void fill(Run run, RunWriter out) {
        SampleTexts texts = source.get();
        int chunk = Arrays.binarySearch(starts, 0, chunks, run.offset() - offset());
        for (; chunk < chunks && offset() + starts[chunk] < run.offset() + run.length(); chunk++) {
            fillChunk(chunk, texts, out);
        }
    }

    private void fillChunk(int chunk, SampleTexts texts, RunWriter out) {
        out.put(SampleTexts.u32(perChunk));
        int missing = perChunk;
        int from = firstTexts[chunk];
        for (long i = firstSamples[chunk]; missing > 0 && i < part.end(); i++) {
            int to = Math.min(texts.count(i), from + missing);
            texts.put(i, from, to, out);
            missing -= to - from;
            from = 0;
        }
        out.zeros((long) LENGTH_BYTES * missing);
    }
}
