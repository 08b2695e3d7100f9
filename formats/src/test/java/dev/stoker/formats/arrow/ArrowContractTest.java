package dev.stoker.formats.arrow;

import dev.stoker.format.Format;
import dev.stoker.sample.Field;
import dev.stoker.testkit.FormatContract;

class ArrowContractTest extends FormatContract {
    @Override
    protected Format format() {
        return new ArrowFormat();
    }

    @Override
    public boolean isHeldByTheContainer(Field field) {
        return true;
    }
}
