package dev.stoker.formats.arrow;

import dev.stoker.format.FormatOptions;
import java.util.Map;

/** The contract with values that are compressed. */
class ArrowZstdContractTest extends ArrowContractTest {
    @Override
    protected FormatOptions options() {
        return new FormatOptions(Map.of(), Map.of("compression", "zstd", "block", "8k"));
    }

    @Override
    public boolean isCompressed() {
        return true;
    }

    /** A block has at most a gibibyte. */
    @Override
    public long hugeBytes() {
        return 0;
    }
}
