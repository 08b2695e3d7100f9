package dev.stoker.formats.tar;

import dev.stoker.format.Format;
import dev.stoker.sample.Field;
import dev.stoker.testkit.FormatContract;

class TarContractTest extends FormatContract {
    @Override
    protected Format format() {
        return new TarFormat();
    }

    @Override
    public boolean isHeldByTheContainer(Field field) {
        return true;
    }
}
