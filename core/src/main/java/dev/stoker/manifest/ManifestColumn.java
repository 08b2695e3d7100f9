package dev.stoker.manifest;

import dev.stoker.io.GrowingBuffer;
import dev.stoker.listing.ListedValues;
import dev.stoker.manifest.ManifestCell.Kind;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;

/** The values of one column of a manifest, row by row, as they were written. */
final class ManifestColumn implements AutoCloseable {
    private static final Kind[] KINDS = Kind.values();

    private final String name;
    private final ListedValues texts = new ListedValues();
    private final GrowingBuffer kinds = new GrowingBuffer();
    private final EnumSet<Kind> seen = EnumSet.noneOf(Kind.class);

    ManifestColumn(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Sets the value of a row; rows before it that have none are missing. */
    void set(long row, ManifestCell cell) {
        missingUntil(row);
        add(cell);
    }

    void missingUntil(long row) {
        while (texts.count() < row) {
            add(ManifestCell.MISSING);
        }
    }

    private void add(ManifestCell cell) {
        texts.add(cell.text().getBytes(StandardCharsets.UTF_8));
        kinds.add(new byte[] {(byte) cell.kind().ordinal()});
        seen.add(cell.kind());
    }

    ManifestCell get(long row) {
        Kind kind = KINDS[kinds.bytes().get(ValueLayout.JAVA_BYTE, row)];
        return new ManifestCell(kind, new String(texts.get(row), StandardCharsets.UTF_8));
    }

    /** The kinds that there are, apart from {@code DataKind.MISSING}. */
    Set<Kind> kinds() {
        EnumSet<Kind> found = EnumSet.copyOf(seen);
        found.remove(Kind.MISSING);
        return found;
    }

    @Override
    public void close() {
        texts.close();
        kinds.close();
    }
}
