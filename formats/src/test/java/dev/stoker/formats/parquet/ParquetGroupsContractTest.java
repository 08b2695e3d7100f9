package dev.stoker.formats.parquet;

import dev.stoker.format.FormatOptions;
import java.util.Map;

/** The same in row groups of three rows. */
class ParquetGroupsContractTest extends ParquetContractTest {
    @Override
    protected FormatOptions options() {
        return new FormatOptions(Map.of(), Map.of(ParquetFormat.ROWS_PER_GROUP, "3"));
    }
}
