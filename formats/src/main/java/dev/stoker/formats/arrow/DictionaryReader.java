package dev.stoker.formats.arrow;

import dev.stoker.formats.arrow.BatchCursor.Node;
import dev.stoker.formats.arrow.BatchCursor.Span;
import dev.stoker.formats.arrow.BatchCursor.Validity;
import dev.stoker.index.Placement;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.DType;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.StandIn;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Reads a dictionary-encoded column: its rows are numbers of the dictionary's values. */
record DictionaryReader(String column, Dictionary dictionary, DType index) implements ColumnReader {
    @Override
    public FieldType type() {
        return dictionary.type();
    }

    @Override
    public Placement placement() {
        return dictionary.placement();
    }

    @Override
    public void read(BatchCursor batch, ValueSink to) {
        Node node = batch.column();
        Validity validity = batch.validity(node);
        Span numbers = batch.buffer(node.rows(), index.bytes());
        for (long i = 0; i < node.rows(); i++) {
            if (validity.isNull(i)) {
                giveNull(batch, to);
                continue;
            }
            long number = number(batch.bytes(), numbers.offset() + i * index.bytes());
            if (number < 0 || number >= dictionary.count()) {
                throw batch.corrupt("in column '" + column + "', row " + i + " is value " + number
                        + " of a dictionary that has " + dictionary.count());
            }
            dictionary.give(number, to);
        }
    }

    private void giveNull(BatchCursor batch, ValueSink to) {
        to.missing();
        switch (type()) {
            case FieldType.Text _, FieldType.Bytes _ -> to.stored(0, 0);
            case FieldType.Scalar scalar -> to.value(StandIn.of(scalar.dtype()));
            default -> throw batch.nulls(column);
        }
    }

    private long number(MemorySegment bytes, long at) {
        return switch (index) {
            case INT8 -> bytes.get(ValueLayout.JAVA_BYTE, at);
            case UINT8 -> bytes.get(ValueLayout.JAVA_BYTE, at) & 0xff;
            case INT16 -> bytes.get(LittleEndian.U16, at);
            case UINT16 -> bytes.get(LittleEndian.U16, at) & 0xffff;
            case INT32 -> bytes.get(LittleEndian.U32, at);
            case UINT32 -> Integer.toUnsignedLong(bytes.get(LittleEndian.U32, at));
            default -> bytes.get(LittleEndian.U64, at);
        };
    }
}
