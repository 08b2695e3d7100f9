package dev.stoker.manifest;

import dev.stoker.StokerException;
import dev.stoker.json.JsonReader;
import dev.stoker.listing.ListingContext;
import dev.stoker.os.FileErrors;
import dev.stoker.sample.Field;
import dev.stoker.text.DelimitedReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads the rows of a manifest of any kind; its ending says which. */
final class ManifestReader {
    private static final String CAPTIONS = "captions";
    private static final int HEADER_BYTES = 1 << 16;

    private final Path manifest;
    private final ManifestRows rows;
    private final ListingContext context;

    private ManifestReader(Path manifest, ManifestRows rows, ListingContext context) {
        this.manifest = manifest;
        this.rows = rows;
        this.context = context;
    }

    /** Reads all rows. Of a table, rows that are malformed are left out where bad files are. */
    static void read(Path manifest, ManifestRows rows, ListingContext context) {
        var reader = new ManifestReader(manifest, rows, context);
        String name = manifest.toString().toLowerCase(Locale.ROOT);
        String ending = name.substring(name.lastIndexOf('.') + 1);
        try (var in = new BufferedInputStream(Files.newInputStream(manifest), HEADER_BYTES)) {
            switch (ending) {
                case "json" -> reader.readObject(in);
                case "jsonl", "ndjson" -> reader.readLines(in);
                case "csv", "tsv", "psv", "txt" -> reader.readTable(in, ending);
                default ->
                    throw new StokerException(
                            manifest,
                            "a manifest ends in .json (an object path -> label),"
                                    + " .jsonl or .ndjson (an object per line), .csv, .tsv, .psv or .txt (a table); rename it accordingly");
            }
        } catch (IOException e) {
            throw FileErrors.cannotRead(manifest, e);
        }
    }

    /** An object path -> label, or path -> captions. */
    private void readObject(InputStream in) {
        try (var json = new JsonReader(in, manifest.toString())) {
            json.beginObject();
            while (json.hasNext()) {
                String path = json.name();
                if (!rows.begin(path, json.line())) {
                    throw json.error("each path once", "'" + path + "' again");
                }
                JsonReader.Token token = json.peek();
                ManifestCell cell = ManifestCell.ofJson(json);
                boolean captions = cell.kind() == ManifestCell.Kind.TEXTS;
                if (token == JsonReader.Token.BEGIN_OBJECT || (token == JsonReader.Token.BEGIN_ARRAY && !captions)) {
                    throw json.error(
                            "a label or a list of captions for '" + path + "'",
                            token == JsonReader.Token.BEGIN_OBJECT ? "an object" : "a list of something else");
                }
                rows.value(captions ? CAPTIONS : Field.LABEL, cell);
            }
            json.endObject();
            json.end();
        }
    }

    private void readLines(InputStream in) {
        try (var json = new JsonReader(in, manifest.toString())) {
            var row = new LinkedHashMap<String, ManifestCell>();
            while (json.hasNext()) {
                long line = json.line();
                row.clear();
                json.beginObject();
                while (json.hasNext()) {
                    String name = json.name();
                    if (row.containsKey(name)) {
                        throw json.error("each name once in an object", "'" + name + "' again");
                    }
                    if (row.size() == DelimitedReader.MAX_COLUMNS) {
                        throw json.error("at most " + DelimitedReader.MAX_COLUMNS + " fields", "more");
                    }
                    row.put(name, ManifestCell.ofJson(json));
                }
                json.endObject();
                add(row, line);
            }
        }
    }

    private void add(Map<String, ManifestCell> row, long line) {
        for (String name : ManifestRows.PATH_NAMES) {
            ManifestCell path = row.remove(name);
            if (path != null) {
                if (path.kind() != ManifestCell.Kind.TEXT) {
                    throw new StokerException(
                            manifest, "line " + line + ": '" + name + "' should be the path of a file, as text");
                }
                rows.begin(path.text(), line);
                row.forEach(rows::value);
                return;
            }
        }
        throw new StokerException(
                manifest,
                "line " + line + ": none of the fields is the path; it should be" + " called one of "
                        + String.join(", ", ManifestRows.PATH_NAMES));
    }

    private void readTable(BufferedInputStream in, String ending) throws IOException {
        try (var table = open(in, ending)) {
            List<String> header = table.firstRow();
            int path = fileColumn(header);
            if (path >= 0) {
                header = withoutHeader(header, path);
            } else {
                table.takeHeader();
                path = pathColumn(header);
                sayPathColumn(header.get(path));
            }
            while (next(table)) {
                rows.begin(table.row().get(path), table.line());
                for (int c = 0; c < header.size(); c++) {
                    if (c != path) {
                        rows.value(
                                header.get(c), ManifestCell.ofTable(table.row().get(c)));
                    }
                }
            }
        }
    }

    /** A first line of other names may be a header, or a row whose file is missing: that is for people to see. */
    private void sayPathColumn(String name) {
        if (!ManifestRows.PATH_NAMES.contains(name)) {
            context.filter()
                    .note("the first line of " + manifest + " is taken as its header, and its column '" + name
                            + "' as the path; no field of it is a file");
        }
    }

    /** Goes to the next row that is well formed, as far as the others may be left out. */
    private boolean next(DelimitedReader table) {
        while (true) {
            try {
                return table.next();
            } catch (StokerException e) {
                context.bad().found(manifest.toString(), e);
                table.skipRow();
            }
        }
    }

    /** The first field of the first row that is a file, if no name of a column says that the row is a header; else -1. */
    private int fileColumn(List<String> first) {
        if (ManifestRows.PATH_NAMES.stream().anyMatch(first::contains)) {
            return -1;
        }
        for (int c = 0; c < first.size(); c++) {
            if (rows.base().isFile(first.get(c))) {
                return c;
            }
        }
        return -1;
    }

    /** The names of columns that have none: the only one beside the path is the label. */
    private List<String> withoutHeader(List<String> first, int path) {
        var names = new ArrayList<String>();
        for (int c = 0; c < first.size(); c++) {
            names.add(
                    c == path
                            ? ManifestRows.PATH_NAMES.getFirst()
                            : first.size() == 2 ? Field.LABEL : "column" + (c + 1));
        }
        context.filter()
                .note(manifest + " has no header line, since its first row names a file; its columns are taken as "
                        + String.join(", ", names));
        return names;
    }

    /** The column of the paths: one that is called so, or the first. */
    private static int pathColumn(List<String> header) {
        for (String name : ManifestRows.PATH_NAMES) {
            if (header.contains(name)) {
                return header.indexOf(name);
            }
        }
        return 0;
    }

    /** Tells the delimiter by the ending, or by what the first line holds: a comma wins, then a tab, then a semicolon. */
    private DelimitedReader open(BufferedInputStream in, String ending) throws IOException {
        in.mark(HEADER_BYTES);
        String head = new String(in.readNBytes(HEADER_BYTES - 1), StandardCharsets.ISO_8859_1);
        in.reset();
        String header = head.lines().findFirst().orElse("");
        String file = manifest.toString();
        if (ending.equals("tsv")) {
            return DelimitedReader.tsv(in, file);
        }
        if (ending.equals("psv")) {
            return DelimitedReader.piped(in, file);
        }
        if (header.contains(",")) {
            return DelimitedReader.csv(in, file);
        }
        if (header.contains("\t")) {
            return DelimitedReader.tsv(in, file);
        }
        if (header.contains(";")) {
            return DelimitedReader.semicolons(in, file);
        }
        return header.contains("|") ? DelimitedReader.piped(in, file) : DelimitedReader.csv(in, file);
    }
}
