package dev.stoker.collect;

import dev.stoker.CorruptContainerException;
import dev.stoker.format.CollectedSamples;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The samples of the batches of a file, by rank and sequence or by their indexes. */
final class BatchedSamples implements CollectedSamples {
    private final String name;
    private final CollectHeader head;
    private final MemorySegment file;
    private final List<CollectedBatch> batches;
    private final long end;
    /** For each batch the number of its first sample; then that of all. */
    private final long[] firsts;
    /** For each field where it stands in a row of a table. */
    private final int[] columns;

    private final int rowBytes;
    /** The samples in another order; empty if there is none. */
    private int[] order = new int[0];

    BatchedSamples(String name, CollectHeader head, MemorySegment file, BatchScanner scan) {
        this.name = name;
        this.head = head;
        this.file = file;
        this.batches = scan.batches();
        this.end = scan.end();
        this.firsts = new long[batches.size() + 1];
        for (int b = 0; b < batches.size(); b++) {
            firsts[b + 1] = firsts[b] + batches.get(b).samples();
        }
        this.columns = new int[head.schema().size()];
        int at = Long.BYTES;
        for (int f = 0; f < columns.length; f++) {
            columns[f] = at;
            at += 2 * Long.BYTES + Long.BYTES * rank(f);
        }
        this.rowBytes = at;
        for (CollectedBatch batch : batches) {
            if (batch.table() + (long) rowBytes * batch.samples() > batch.values()) {
                throw damaged(batch, "its table is too short");
            }
        }
    }

    private int rank(int field) {
        return head.schema().type(field) instanceof FieldType.Array array ? array.rank() : 0;
    }

    /** Orders by the indexes that were given; samples with the same one stay by rank and sequence. */
    BatchedSamples byIndex() {
        order = IntStream.range(0, Math.toIntExact(count()))
                .boxed()
                .sorted(Comparator.comparingLong(number -> index(number)))
                .mapToInt(Integer::intValue)
                .toArray();
        return this;
    }

    /** The index of a sample, by rank and sequence. */
    private long index(long number) {
        return file.get(LittleEndian.U64, row(number));
    }

    private int batchOf(long number) {
        int found = Arrays.binarySearch(firsts, number);
        return found >= 0 ? found : -found - 2;
    }

    private long row(long number) {
        int batch = batchOf(number);
        return batches.get(batch).table() + (number - firsts[batch]) * rowBytes;
    }

    private long number(long sample) {
        return order.length == 0 ? sample : order[Math.toIntExact(sample)];
    }

    private CorruptContainerException damaged(CollectedBatch batch, String reason) {
        return new CorruptContainerException(name, batch.table(), "a batch of rank " + batch.rank() + ": " + reason);
    }

    @Override
    public Schema schema() {
        return head.schema();
    }

    @Override
    public long count() {
        return firsts[batches.size()];
    }

    @Override
    public long offset(long sample, int field) {
        long number = number(sample);
        CollectedBatch batch = batches.get(batchOf(number));
        long place = file.get(LittleEndian.U64, row(number) + columns[field]);
        long length = length(sample, field);
        if (place < 0 || length < 0 || place > batch.length() - length) {
            throw damaged(batch, "a value of " + length + " bytes at " + place + " should lie inside it");
        }
        return batch.values() + place;
    }

    @Override
    public long length(long sample, int field) {
        return file.get(LittleEndian.U64, row(number(sample)) + columns[field] + Long.BYTES);
    }

    @Override
    public long[] shape(long sample, int field) {
        var shape = new long[rank(field)];
        MemorySegment.copy(
                file, LittleEndian.U64, row(number(sample)) + columns[field] + 2 * Long.BYTES, shape, 0, shape.length);
        return shape;
    }

    @Override
    public MemorySegment value(long sample, int field) {
        return file.asSlice(offset(sample, field), length(sample, field));
    }

    @Override
    public List<Block> blocks() {
        return batches.stream().map(CollectedBatch::block).toList();
    }

    @Override
    public long start() {
        return head.start();
    }

    @Override
    public long end() {
        return end;
    }
}
