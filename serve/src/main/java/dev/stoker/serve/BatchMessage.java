package dev.stoker.serve;

import dev.stoker.feed.Batch;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where a batch lies in the memory that the client maps, and the position of the job after it; or that the rank has
 * nothing more to deliver of an epoch.
 *
 * @param isEnd there is no batch: the epoch ends without one
 * @param block the number of the piece of memory; 0 if the batch has no bytes
 * @param freed pieces of memory that no later batch lies in
 * @param rows which samples they are; null unless the client wants to know
 * @param position JSON, as a saved position
 */
record BatchMessage(
        int samples,
        boolean isLastOfEpoch,
        boolean isEnd,
        long epoch,
        int block,
        List<Integer> freed,
        List<FieldPlace> fields,
        @Nullable List<Row> rows,
        String position) {
    private static final int HEADER_BYTES = 32;
    private static final long NONE = -1;
    private static final int LAST_OF_EPOCH = 1;
    private static final int WARNED = 2;
    private static final int END = 4;
    private static final int HAS_ROWS = 8;
    private static final int REPEAT = 1;

    /**
     * Where a field lies; all counted in bytes from the beginning of the block.
     *
     * @param width the bytes from one value to the next, if all have the same; otherwise -1
     * @param offsetsAt where the offsets are if the field has some; otherwise -1
     * @param shapesAt where the shapes are if the field has some; otherwise -1
     */
    record FieldPlace(long valuesAt, long bytes, long width, long offsetsAt, long shapesAt) {
        static final int BYTES = 40;
    }

    /**
     * A sample of the batch.
     *
     * @param isRepeat it is there only so that all ranks deliver equally many
     */
    record Row(long sample, int dataset, boolean isRepeat) {
        static final int BYTES = 16;
    }

    static BatchMessage of(Batch batch, int block, List<Integer> freed, boolean wantsRows, String position) {
        var places = new ArrayList<FieldPlace>();
        long base = batch.memory().address();
        for (int f = 0; f < batch.schema().size(); f++) {
            MemorySegment values = batch.values(f);
            boolean isDense = batch.isDense(f);
            boolean hasShapes = batch.schema().type(f) instanceof FieldType.Array;
            places.add(new FieldPlace(
                    values.address() - base,
                    values.byteSize(),
                    isDense ? batch.stride(f) : NONE,
                    isDense ? NONE : batch.offsets(f).address() - base,
                    hasShapes ? batch.shapes(f).address() - base : NONE));
        }
        return new BatchMessage(
                batch.size(),
                batch.isLastOfEpoch(),
                false,
                batch.epoch(),
                block,
                freed,
                places,
                wantsRows ? rows(batch) : null,
                position);
    }

    private static List<Row> rows(Batch batch) {
        return IntStream.range(0, batch.size())
                .mapToObj(i -> new Row(batch.sample(i), batch.dataset(i), batch.isRepeat(i)))
                .toList();
    }

    /** The end of an epoch of which the rank delivers nothing more. */
    static BatchMessage end(long epoch, String position) {
        return new BatchMessage(0, true, true, epoch, 0, List.of(), List.of(), null, position);
    }

    /** @param isWarned whether the client should ask for a report, since there is something to be told */
    Message message(boolean isWarned) {
        byte[] json = position.getBytes(StandardCharsets.UTF_8);
        List<Row> known = rows == null ? List.of() : rows;
        ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES
                        + 4 * freed.size()
                        + FieldPlace.BYTES * fields.size()
                        + Row.BYTES * known.size()
                        + json.length)
                .order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(samples)
                .putInt((isLastOfEpoch ? LAST_OF_EPOCH : 0)
                        | (isWarned ? WARNED : 0)
                        | (isEnd ? END : 0)
                        | (rows != null ? HAS_ROWS : 0))
                .putLong(epoch)
                .putInt(block);
        out.putInt(freed.size()).putInt(fields.size()).putInt(json.length);
        for (FieldPlace field : fields) {
            out.putLong(field.valuesAt).putLong(field.bytes).putLong(field.width);
            out.putLong(field.offsetsAt).putLong(field.shapesAt);
        }
        freed.forEach(out::putInt);
        for (Row row : known) {
            out.putLong(row.sample).putInt(row.dataset).putInt(row.isRepeat ? REPEAT : 0);
        }
        out.put(json);
        return new Message(Message.BATCH, out.array());
    }
}
