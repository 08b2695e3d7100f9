package dev.stoker.formats.codec;

import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.StkFormat;
import dev.stoker.testkit.FormatContract;
import java.util.Map;

/** The contract of Stoker's own format with values that are compressed. */
class StkZstdContractTest extends FormatContract {
    @Override
    protected Format format() {
        return new StkFormat();
    }

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
