package dev.stoker.formats.arrow;

import dev.stoker.format.FormatOptions;
import java.util.Map;

/** The contract with a record batch for each row, and columns that have names of their own. */
class ArrowRowsContractTest extends ArrowContractTest {
    @Override
    protected FormatOptions options() {
        return new FormatOptions(Map.of("data", "image_data"), Map.of(ArrowFormat.ROWS_PER_BATCH, "1"));
    }
}
