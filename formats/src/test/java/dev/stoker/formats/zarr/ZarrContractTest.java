package dev.stoker.formats.zarr;

import dev.stoker.format.Format;
import dev.stoker.sample.Field;
import dev.stoker.testkit.FormatContract;

class ZarrContractTest extends FormatContract {
    @Override
    protected Format format() {
        return new ZarrFormat();
    }

    @Override
    public boolean isHeldByTheContainer(Field field) {
        return true;
    }
}
