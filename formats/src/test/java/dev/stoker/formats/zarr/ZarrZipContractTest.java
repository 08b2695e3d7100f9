package dev.stoker.formats.zarr;

import dev.stoker.format.Format;
import dev.stoker.sample.Field;
import dev.stoker.testkit.FormatContract;

class ZarrZipContractTest extends FormatContract {
    @Override
    protected Format format() {
        return new ZarrZipFormat();
    }

    @Override
    public boolean isHeldByTheContainer(Field field) {
        return true;
    }
}
