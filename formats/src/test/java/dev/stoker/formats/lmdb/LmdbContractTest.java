package dev.stoker.formats.lmdb;

import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.sample.Field;
import dev.stoker.testkit.FormatContract;
import java.util.Map;

class LmdbContractTest extends FormatContract {
    @Override
    protected Format format() {
        return new LmdbFormat();
    }

    @Override
    protected FormatOptions options() {
        return new FormatOptions(Map.of(), Map.of("layout", "file"));
    }

    @Override
    public boolean isHeldByTheContainer(Field field) {
        return true;
    }

    /** The length of a value has 32 bits. */
    @Override
    public long hugeBytes() {
        return 4 * (1L << 30) - 1;
    }
}
