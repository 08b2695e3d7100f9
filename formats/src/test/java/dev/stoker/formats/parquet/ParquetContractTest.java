package dev.stoker.formats.parquet;

import dev.stoker.format.Format;
import dev.stoker.sample.Field;
import dev.stoker.testkit.FormatContract;

class ParquetContractTest extends FormatContract {
    @Override
    protected Format format() {
        return new ParquetFormat();
    }

    @Override
    public boolean isHeldByTheContainer(Field field) {
        return true;
    }

    /** The lengths of pages have 31 bits. */
    @Override
    public long hugeBytes() {
        return 0;
    }
}
