package dev.stoker.formats.squashfs;

import dev.stoker.format.Format;
import dev.stoker.testkit.FormatContract;

class SquashContractTest extends FormatContract {
    @Override
    protected Format format() {
        return new SquashFormat();
    }
}
