package dev.stoker.formats.hdf5.write;

import dev.stoker.StokerException;
import dev.stoker.format.RunWriter;
import dev.stoker.formats.hdf5.Hdf5Format;
import dev.stoker.formats.shared.array.TableArea.Numbers;
import dev.stoker.sample.Samples;

/** Each value as one object, an empty one as none. */
record ValueObjects(Samples samples, int field, int elementBytes) implements HeapObjects {
    private static final long MAX_ELEMENTS = 0xffff_ffffL;

    @Override
    public Size size(long sample) {
        long length = samples.length(sample, field);
        if (length / elementBytes > MAX_ELEMENTS) {
            throw new StokerException(samples.describe(sample) + ": field '"
                    + samples.schema().fields().get(field).name() + "' has " + length / elementBytes
                    + " elements, but a variable-length value of HDF5 has at most " + MAX_ELEMENTS + "; give --"
                    + Hdf5Format.LAYOUT + " csr");
        }
        return length == 0 ? new Size(0, 0) : new Size(1, HeapObjects.bytes(length));
    }

    @Override
    public void put(long sample, long collection, int first, RunWriter out) {
        long length = samples.length(sample, field);
        if (length > 0) {
            out.put(HeapObjects.head(first, length));
        }
        out.value(sample, field);
        out.align(8);
    }

    @Override
    public void refer(long sample, long collection, int first, Numbers out) {
        long length = samples.length(sample, field);
        if (length == 0) {
            HeapObjects.noReference(out);
        } else {
            HeapObjects.reference(length / elementBytes, collection, first, out);
        }
    }
}
