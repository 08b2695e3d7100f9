package dev.stoker.formats.lmdb;

import dev.stoker.StokerException;
import dev.stoker.format.RunWriter;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;

/**
 * One field of one split's samples.
 *
 * @param field its place in the schema, or -1 for entries without a value
 */
record FieldEntries(Samples samples, Keys keys, int field) implements Entries {
    static final int NO_FIELD = -1;

    @Override
    public long count() {
        return keys.count();
    }

    @Override
    public byte[] key(long entry) {
        return keys.key(entry);
    }

    @Override
    public int keyBytes(long entry) {
        return keys.keyBytes(entry);
    }

    @Override
    public long valueBytes(long entry) {
        if (field == NO_FIELD) {
            return 0;
        }
        long sample = keys.sample(entry);
        long bytes = switch (samples.schema().type(field)) {
            case FieldType.Texts ignored -> Values.json(samples, sample, field).length;
            case FieldType.Array ignored ->
                Values.npyHeader(samples, sample, field).length + samples.length(sample, field);
            default -> samples.length(sample, field);
        };
        if (bytes > Page.MAX_VALUE_BYTES) {
            throw new StokerException("format lmdb cannot hold the field '"
                    + samples.schema().fields().get(field).name() + "' of " + samples.describe(sample) + ": a value has"
                    + " less than 4 GiB, this one has " + bytes + " bytes; choose another format");
        }
        return bytes;
    }

    @Override
    public void putValue(long entry, RunWriter out) {
        if (field == NO_FIELD) {
            return;
        }
        long sample = keys.sample(entry);
        switch (samples.schema().type(field)) {
            case FieldType.Texts ignored -> out.put(Values.json(samples, sample, field));
            case FieldType.Array ignored -> {
                out.put(Values.npyHeader(samples, sample, field));
                out.value(sample, field);
            }
            default -> out.value(sample, field);
        }
    }
}
