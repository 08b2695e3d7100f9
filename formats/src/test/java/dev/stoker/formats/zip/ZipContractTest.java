package dev.stoker.formats.zip;

import dev.stoker.format.Format;
import dev.stoker.testkit.FormatContract;

class ZipContractTest extends FormatContract {
    @Override
    protected Format format() {
        return new ZipFormat();
    }
}
