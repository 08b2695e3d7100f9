package dev.stoker.formats.parquet;

import dev.stoker.format.FormatOptions;
import java.util.Map;

/** The contract with bytes and text that are compressed. */
class ParquetZstdContractTest extends ParquetContractTest {
    @Override
    protected FormatOptions options() {
        return new FormatOptions(Map.of(), Map.of("compression", "zstd", "block", "8k", "rows-per-group", "7"));
    }

    @Override
    public boolean isCompressed() {
        return true;
    }
}
