package dev.stoker.testkit;

import dev.stoker.format.Format;
import dev.stoker.format.StkFormat;

class StkContractTest extends FormatContract {
    @Override
    protected Format format() {
        return new StkFormat();
    }
}
