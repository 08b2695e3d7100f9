package dev.stoker.formats.parquet;

import dev.stoker.format.Options;
import java.util.Map;

/** The same in row groups of three rows. */
class ParquetGroupsContractTest extends ParquetContractTest {
    @Override
    protected Options options() {
        return new Options(Map.of(), Map.of(ParquetFormat.ROWS_PER_GROUP, "3"));
    }
}
