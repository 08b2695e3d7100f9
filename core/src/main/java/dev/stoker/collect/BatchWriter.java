package dev.stoker.collect;

import dev.stoker.format.CollectingLayout;
import dev.stoker.format.RunWriter;
import dev.stoker.io.Checksum;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Makes the bytes of one batch: its head, its table, and the values as the format lays them. */
final class BatchWriter implements RunWriter, AutoCloseable {
    static final byte[] MAGIC = {'S', 'T', 'K', 'B', 'A', 'T', 'C', 'H'};
    static final int HEAD_BYTES = 64;
    static final int ALIGNMENT = 64;
    static final int CLAIM_AT = 52;
    static final int CHECKED_BYTES = 60;

    private final CollectHeader head;
    private final int headChecksum;
    private final CollectingLayout format;
    private final GrowingBuffer values = new GrowingBuffer();
    private final GrowingBuffer bytes = new GrowingBuffer();
    /** Where the values of each field begin, by sample; filled while the format lays them. */
    private long[][] places = new long[0][];

    private PendingSamples pending;

    BatchWriter(CollectHeader head, CollectingLayout format, PendingSamples none) {
        this.head = head;
        this.headChecksum = head.checksum();
        this.format = format;
        this.pending = none;
    }

    /** The bytes of a rank's first batch, which has no samples; valid until the next one is made. */
    MemorySegment makeClaim(PendingSamples none, int rank, long claim) {
        return make(none, rank, 0, false, claim);
    }

    /** The bytes of a batch; valid until the next one is made. */
    MemorySegment make(PendingSamples samples, int rank, long before, boolean last) {
        return make(samples, rank, before, last, 0);
    }

    private MemorySegment make(PendingSamples samples, int rank, long before, boolean last, long claim) {
        pending = samples;
        values.clear();
        bytes.clear();
        int count = Math.toIntExact(samples.count());
        places = new long[head.schema().size()][count];
        if (count > 0) {
            format.fill(samples, this);
        }
        bytes.add(new byte[HEAD_BYTES]);
        addTable(count);
        long table = bytes.size() - HEAD_BYTES;
        bytes.add(new byte[(int) (-bytes.size() & (ALIGNMENT - 1))]);
        bytes.add(values.bytes());
        MemorySegment made = bytes.bytes();
        MemorySegment.copy(MAGIC, 0, made, ValueLayout.JAVA_BYTE, 0, MAGIC.length);
        made.set(LittleEndian.U32, 8, rank);
        made.set(LittleEndian.U32, 12, count);
        made.set(LittleEndian.U64, 16, before);
        made.set(LittleEndian.U64, 24, table);
        made.set(LittleEndian.U64, 32, values.size());
        made.set(LittleEndian.U32, 40, Checksum.of(made.asSlice(HEAD_BYTES)));
        made.set(LittleEndian.U32, 44, last ? 1 : 0);
        made.set(LittleEndian.U32, 48, headChecksum);
        made.set(LittleEndian.U64, CLAIM_AT, claim);
        made.set(LittleEndian.U32, CHECKED_BYTES, Checksum.of(made.asSlice(0, CHECKED_BYTES)));
        return made;
    }

    private void addTable(int count) {
        for (int i = 0; i < count; i++) {
            bytes.addLong(pending.index(i));
            for (int f = 0; f < places.length; f++) {
                bytes.addLong(places[f][i]);
                bytes.addLong(pending.length(i, f));
                for (long dimension : pending.shape(i, f)) {
                    bytes.addLong(dimension);
                }
            }
        }
    }

    /** Counted from the first value: that place is a multiple of 64 in the file. */
    @Override
    public long position() {
        return values.size();
    }

    @Override
    public void put(MemorySegment more) {
        values.add(more);
    }

    @Override
    public void zeros(long count) {
        values.add(new byte[Math.toIntExact(count)]);
    }

    @Override
    public void value(long sample, int field) {
        places[field][(int) sample] = values.size();
        byte[] value = new byte[Math.toIntExact(pending.length(sample, field))];
        pending.read(sample, field, 0, MemorySegment.ofArray(value));
        values.add(value);
    }

    @Override
    public void file(byte[] path) {
        throw new IllegalStateException("what is collected is one file");
    }

    @Override
    public void close() {
        values.close();
        bytes.close();
    }
}
