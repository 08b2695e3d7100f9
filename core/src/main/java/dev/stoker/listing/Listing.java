package dev.stoker.listing;

import dev.stoker.io.Fingerprints;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

/** Samples of a source that was looked through: sizes and small values are in memory, outside the heap. */
public final class Listing implements Samples {
    private final Schema schema;
    private final long count;
    private final List<ListedColumn> columns;

    public Listing(Schema schema, long count, List<ListedColumn> columns) {
        this.schema = schema;
        this.count = count;
        this.columns = List.copyOf(columns);
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long length(long sample, int field) {
        return columns.get(field).length(sample);
    }

    @Override
    public long[] shape(long sample, int field) {
        return columns.get(field).shape(sample);
    }

    @Override
    public void read(long sample, int field, long from, MemorySegment to) {
        columns.get(field).read(sample, from, to);
    }

    @Override
    public String describe(long sample) {
        int key = schema.find(Field.KEY);
        if (key < 0) {
            return Samples.super.describe(sample);
        }
        try (var arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(length(sample, key));
            read(sample, key, 0, text);
            return new String(text.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        }
    }

    @Override
    public String fingerprint() {
        MessageDigest digest = Fingerprints.begin();
        for (int f = 0; f < columns.size(); f++) {
            Fingerprints.add(digest, schema.fields().get(f).name());
            Fingerprints.add(digest, schema.type(f).label());
            columns.get(f).fingerprint(digest);
        }
        schema.classes().forEach(name -> Fingerprints.add(digest, name));
        return Fingerprints.end(digest);
    }

    @Override
    public void close() {
        columns.forEach(ListedColumn::close);
    }
}
