package dev.stoker.manifest;

import dev.stoker.StokerException;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.listing.KeyTable;
import dev.stoker.listing.ListedColumn;
import dev.stoker.listing.ListedValues;
import dev.stoker.sample.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was read from a manifest: its paths, each once, and its columns; all outside the heap. */
final class ManifestRows implements AutoCloseable {
    /** How a column or field that holds the path may be called; the first that is there counts. */
    static final List<String> PATH_NAMES = List.of("path", "file", "filename", "file_name", "image", "img", Field.KEY);

    private final Path manifest;
    private final ManifestBase base;
    private final ListedValues paths = new ListedValues();
    private final KeyTable table = new KeyTable(paths);
    private final GrowingBuffer sampleOfRow = new GrowingBuffer();
    private final GrowingBuffer lines = new GrowingBuffer();
    private final Map<String, ManifestColumn> columns = new LinkedHashMap<>();

    ManifestRows(Path manifest, ManifestBase base) {
        this.manifest = manifest;
        this.base = base;
    }

    /** Begins a row; false if its path had one before. */
    boolean begin(String path, long line) {
        long before = paths.count();
        byte[] checked = checkedPath(base.key(path), line).getBytes(StandardCharsets.UTF_8);
        long sample = table.number(checked);
        sampleOfRow.addLong(sample);
        lines.addLong(line);
        return sample == before;
    }

    /** What paths are relative to. */
    ManifestBase base() {
        return base;
    }

    void value(String column, ManifestCell cell) {
        ManifestColumn found = columns.get(column);
        if (found == null) {
            found = new ManifestColumn(checkedName(column));
            columns.put(column, found);
        }
        found.set(rows() - 1, cell);
    }

    private String checkedName(String column) {
        if (column.equals(Field.KEY) || column.equals(Field.DATA)) {
            throw new StokerException(
                    manifest,
                    "the column '" + column
                            + "' has the name of a field that every"
                            + " sample has (key is its path, data its bytes); rename the column, for example to my_"
                            + column);
        }
        if (column.isEmpty()) {
            throw new StokerException(
                    manifest, "a column has no name; name it, or leave it out (pandas: to_csv(…, index=False))");
        }
        return column;
    }

    /** The path without needless parts, so that it is the key that the file would have if its folder were packed. */
    private String checkedPath(String path, long line) {
        if (path.startsWith("/")) {
            throw refused(path, line, "is absolute");
        }
        if (path.indexOf('\0') >= 0) {
            throw refused(path.replace('\0', '?'), line, "contains a NUL character");
        }
        var parts = new ArrayList<String>();
        for (String part : path.split("/", -1)) {
            if (part.equals("..")) {
                throw refused(path, line, "points outside the source ('..')");
            }
            if (!part.isEmpty() && !part.equals(".")) {
                parts.add(part);
            }
        }
        if (parts.isEmpty()) {
            throw refused(path, line, "names no file");
        }
        return String.join("/", parts);
    }

    private StokerException refused(String path, long line, String why) {
        return new StokerException(place(line) + "the path '" + path + "' " + why
                + "; paths are relative to the source and stay below it");
    }

    /** Ends the reading: every column has a value for every row. */
    ManifestGroups finish() {
        columns.values().forEach(column -> column.missingUntil(rows()));
        return new ManifestGroups(sampleOfRow, paths.count());
    }

    private long rows() {
        return lines.size() / Long.BYTES;
    }

    /** The paths, which are the keys of the samples; closed with the rows unless they are {@linkplain ListedColumn columns}. */
    ListedValues paths() {
        return paths;
    }

    Collection<ManifestColumn> columns() {
        return columns.values();
    }

    /** A row's place as a message begins with it. */
    String place(ManifestGroups groups, long sample, long which) {
        return place(lines.getLong(groups.row(sample, which)));
    }

    private String place(long line) {
        return "[" + manifest + "] line " + line + ": ";
    }

    /** Closes everything but the paths. */
    @Override
    public void close() {
        table.close();
        sampleOfRow.close();
        lines.close();
        columns.values().forEach(ManifestColumn::close);
    }
}
