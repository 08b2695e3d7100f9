package dev.stoker.formats.tfrecord;

import dev.stoker.format.Format;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.testkit.FormatContract;

class TfRecordContractTest extends FormatContract {
    @Override
    protected Format format() {
        return new TfRecordFormat();
    }

    /** An example has no types but bytes, int64 and float: only the sidecar knows what else a field is. */
    @Override
    public boolean isHeldByTheContainer(Field field) {
        return field.name().equals(Field.DATA) && field.type() instanceof FieldType.Bytes;
    }

    @Override
    public long hugeBytes() {
        return 0;
    }
}
