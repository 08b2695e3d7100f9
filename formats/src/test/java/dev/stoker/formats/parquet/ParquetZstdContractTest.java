package dev.stoker.formats.parquet;

import dev.stoker.format.Options;
import java.util.Map;

/** The contract with bytes and text that are compressed. */
class ParquetZstdContractTest extends ParquetContractTest {
    @Override
    protected Options options() {
        return new Options(Map.of(), Map.of("compression", "zstd", "block", "8k", "rows-per-group", "7"));
    }

    @Override
    public boolean isCompressed() {
        return true;
    }
}
