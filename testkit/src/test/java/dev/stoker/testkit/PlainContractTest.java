package dev.stoker.testkit;

import dev.stoker.format.Format;

/** The contract kept by a format with a sidecar and few abilities. */
class PlainContractTest extends FormatContract {
    @Override
    protected Format format() {
        return new PlainFormat();
    }

    @Override
    public long hugeBytes() {
        return 0;
    }
}
