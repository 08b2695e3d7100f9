package dev.stoker.feed;

import dev.stoker.PublicApi;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Some samples, field by field, in memory outside the heap that begins at a multiple of 64 bytes for each field.
 *
 * <p>A field whose values all have the same length is <em>dense</em>: {@link #values} is one array of {@link #size}
 * values. Otherwise {@link #values} are the values one after another, and {@link #offsets} says where each begins.
 *
 * <p><b>Valid until the feed's next {@code next()} or {@code close()}</b>: then the same memory holds another batch.
 * The methods of a batch that is no longer valid throw {@link IllegalStateException}; a segment that was taken from it
 * before cannot know.
 */
@PublicApi
public final class Batch {
    private final Schema schema;
    private final BatchSlot slot;
    private boolean isValid = true;

    Batch(Schema schema, BatchSlot slot) {
        this.schema = schema;
        this.slot = slot;
    }

    /** The fields as they are in the batch: a decoded field has the type that its decoder makes. */
    public Schema schema() {
        return schema;
    }

    /** How many samples there are: fewer than asked for at the end of an epoch, or where bad ones were left out. */
    public int size() {
        return slot().rows().count();
    }

    public long epoch() {
        return slot().cut.epoch();
    }

    /** Whether it is this rank's last batch of the epoch. */
    public boolean isLastOfEpoch() {
        return slot().cut.closesEpoch();
    }

    /** The number of a sample in its dataset. */
    public long sample(int i) {
        return slot().rows().place(check(i)).sample();
    }

    /** Which of the datasets of a mix a sample is of. */
    public int dataset(int i) {
        return slot().rows().place(check(i)).dataset();
    }

    /** The position of a sample in the order of the epoch. */
    public long position(int i) {
        return slot().rows().position(check(i));
    }

    /** Whether a sample is of the epoch's beginning, delivered again only so that all ranks deliver equally many. */
    public boolean isRepeat(int i) {
        return slot().rows().isRepeat(check(i));
    }

    /** All memory of the batch: what the other methods give lies in it. */
    public MemorySegment memory() {
        return slot().memory;
    }

    /** All values of a field. */
    public MemorySegment values(int field) {
        BatchSlot valid = slot();
        long from = valid.layout().valuesAt(field);
        return valid.memory.asSlice(from, valid.layout().valuesEnd(field) - from);
    }

    public MemorySegment values(String field) {
        return values(schema.place(field));
    }

    /** Whether all values of a field have the same number of bytes here. */
    public boolean isDense(int field) {
        return slot().layout().width(field) >= 0;
    }

    /** The number of bytes between the beginnings of two values of a dense field. */
    public long stride(int field) {
        requireDense(field, true);
        return slot().layout().width(field);
    }

    /** For a field that is not dense, {@code size() + 1} 64-bit numbers: where each value begins, and the end. */
    public MemorySegment offsets(int field) {
        requireDense(field, false);
        return slot().memory.asSlice(slot.layout().offsetsAt(field), 8L * (size() + 1));
    }

    /** One value, without padding; empty where it is missing and not dense. */
    public MemorySegment value(int i, int field) {
        BatchSlot valid = slot();
        return valid.memory.asSlice(
                valid.layout().start(field, check(i)), valid.layout().length(field, i));
    }

    /** One value of text. */
    public String text(int i, int field) {
        return new String(value(i, field).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    /** The dimensions of one value of a field of arrays that each have a shape of their own. */
    public long[] shape(int i, int field) {
        return slot().layout().readShape(slot.memory, field, check(i));
    }

    /** The dimensions of all values of such a field, one value after another, as 64-bit numbers. */
    public MemorySegment shapes(int field) {
        return slot().layout().shapes(slot.memory, field);
    }

    /** Whether the dataset of a sample does not have the field; its value then is zeros or empty. */
    public boolean isMissing(int i, int field) {
        return slot().rows().isMissing(field, check(i));
    }

    void invalidate() {
        isValid = false;
    }

    private int check(int i) {
        return Objects.checkIndex(i, slot.rows().count());
    }

    private void requireDense(int field, boolean dense) {
        if (isDense(field) != dense) {
            throw new IllegalArgumentException(
                    "field '" + schema.fields().get(field).name() + "' is "
                            + (dense ? "not dense: its values have offsets" : "dense: its values have one stride"));
        }
    }

    private BatchSlot slot() {
        if (!isValid) {
            throw new IllegalStateException(
                    "the batch was valid until the feed's next batch; copy what is needed longer");
        }
        return slot;
    }
}
