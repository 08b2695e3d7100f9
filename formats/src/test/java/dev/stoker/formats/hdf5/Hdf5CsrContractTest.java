package dev.stoker.formats.hdf5;

import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.sample.Field;
import dev.stoker.testkit.FormatContract;
import java.util.Map;

/** Layout csr. */
class Hdf5CsrContractTest extends FormatContract {
    @Override
    protected Format format() {
        return new Hdf5Format();
    }

    @Override
    protected FormatOptions options() {
        return new FormatOptions(Map.of(), Map.of(Hdf5Format.LAYOUT, "csr"));
    }

    @Override
    public boolean isHeldByTheContainer(Field field) {
        return true;
    }
}
