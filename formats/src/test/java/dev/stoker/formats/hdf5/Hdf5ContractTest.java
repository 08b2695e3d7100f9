package dev.stoker.formats.hdf5;

import dev.stoker.format.Format;
import dev.stoker.sample.Field;
import dev.stoker.testkit.FormatContract;

/** Layout vlen. */
class Hdf5ContractTest extends FormatContract {
    @Override
    protected Format format() {
        return new Hdf5Format();
    }

    @Override
    public boolean isHeldByTheContainer(Field field) {
        return true;
    }

    /** The length of a sequence has 32 bits; layout csr holds longer ones. */
    @Override
    public long hugeBytes() {
        return 4 * (1L << 30) - 1;
    }
}
