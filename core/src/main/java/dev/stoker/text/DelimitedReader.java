package dev.stoker.text;

import dev.stoker.StokerException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table of text (CSV, TSV) row by row, as RFC 4180 has it: a field in quotes may hold the delimiter, line
 * breaks and doubled quotes; lines end with LF or CRLF; the first line names the columns.
 * UTF-8; a byte order mark is dropped.
 *
 * <p>Nothing is guessed: a row with another number of fields than the header (an empty line too, unless there is one
 * column), a quote inside a field without quotes, text behind a closing quote, a CR alone and a column named twice are
 * errors with line and column.
 *
 * <pre>{@code
 * try (var table = DelimitedReader.csv(Files.newInputStream(path), path.toString())) {
 *     int label = table.column("label");
 *     while (table.next()) {
 *         use(table.row().get(label));
 *     }
 * }
 * }</pre>
 */
public final class DelimitedReader implements AutoCloseable {
    public static final int MAX_ROW_BYTES = 64 << 20;
    public static final int MAX_COLUMNS = 1 << 16;

    private static final boolean[] QUOTED_STOPS = TextInput.stops("\"\n");

    private final TextInput input;
    private final char delimiter;
    private final boolean strict;
    private final boolean[] plainStops;
    private @Nullable List<String> header;
    private final List<String> row = new ArrayList<>();
    private final List<String> rowView = Collections.unmodifiableList(row);
    private long rowLine;
    /** The first row was read, and no one has taken it yet. */
    private boolean isRowWaiting;
    /** Whether the line break behind the row was consumed. */
    private boolean isRowEnded = true;

    private DelimitedReader(InputStream in, String file, char delimiter, boolean strict) {
        this.input = new TextInput(in, file);
        this.delimiter = delimiter;
        this.strict = strict;
        this.plainStops = TextInput.stops((strict ? "\"" : "") + "\r\n" + delimiter);
    }

    public static DelimitedReader csv(InputStream in, String file) {
        return new DelimitedReader(in, file, ',', true);
    }

    /** As programs write it where the comma belongs to numbers. */
    public static DelimitedReader semicolons(InputStream in, String file) {
        return new DelimitedReader(in, file, ';', true);
    }

    public static DelimitedReader tsv(InputStream in, String file) {
        return new DelimitedReader(in, file, '\t', true);
    }

    /**
     * Fields between {@code |}, as Flickr30K's captions have them: blanks around a field do not belong to it, and a
     * quote is a character like any other unless it is a field's very first.
     */
    public static DelimitedReader piped(InputStream in, String file) {
        return new DelimitedReader(in, file, '|', false);
    }

    /**
     * The fields of the first row, of which it is not yet said whether they are a header: {@link #takeHeader} says so, else
     * {@link #next} gives the row again, and the others have as many fields.
     */
    public List<String> firstRow() {
        if (input.peek() < 0) {
            throw input.error("a first line", TextInput.describe(-1));
        }
        readRow(MAX_COLUMNS);
        isRowWaiting = true;
        header = List.copyOf(row);
        return header;
    }

    /** The row that {@link #firstRow} gave is the header. */
    public void takeHeader() {
        header = null;
        header();
    }

    /** The names of the columns. */
    public List<String> header() {
        if (header == null) {
            if (input.peek() < 0 && !isRowWaiting) {
                throw input.error("a header line", TextInput.describe(-1));
            }
            if (!isRowWaiting) {
                readRow(MAX_COLUMNS);
            }
            isRowWaiting = false;
            var seen = new HashSet<String>();
            for (String name : row) {
                if (!seen.add(name)) {
                    throw rowError("each column name once", "'" + name + "' again");
                }
            }
            header = List.copyOf(row);
            row.clear();
        }
        return header;
    }

    /** The index of a column in each row. */
    public int column(String name) {
        int index = header().indexOf(name);
        if (index < 0) {
            throw input.error(1, 1, "a column '" + name + "'", "only " + String.join(", ", header()));
        }
        return index;
    }

    /** Goes to the next row; false at the end. */
    public boolean next() {
        int columns = header().size();
        if (isRowWaiting) {
            isRowWaiting = false;
            return true;
        }
        if (input.peek() < 0) {
            row.clear();
            return false;
        }
        readRow(columns);
        if (row.size() < columns) {
            boolean empty = row.size() == 1 && row.getFirst().isEmpty();
            throw rowError(inHeader(columns), empty ? "an empty line" : fields(row.size()));
        }
        return true;
    }

    /** After an error in a row: goes to the end of the line, so that {@link #next} continues after it. */
    public void skipRow() {
        while (!isRowEnded) {
            int b = input.peek();
            if (b >= 0) {
                input.advance();
            }
            isRowEnded = b < 0 || b == '\n';
        }
    }

    /** The fields of this row, as many as the header has; the same list for each row, valid until {@link #next}. */
    public List<String> row() {
        return rowView;
    }

    /** The line in which this row begins, from 1; rows with line breaks in quotes take several. */
    public long line() {
        return rowLine;
    }

    /** An error of the caller's about this row. */
    public StokerException rowError(String expected, String found) {
        return input.error(rowLine, 1, expected, found);
    }

    @Override
    public void close() {
        input.close();
    }

    private void readRow(int maxFields) {
        row.clear();
        isRowEnded = false;
        rowLine = input.line();
        int bytesLeft = MAX_ROW_BYTES;
        do {
            if (row.size() == maxFields) {
                String expected = header == null ? "at most " + fields(maxFields) : inHeader(maxFields);
                throw rowError(expected, "more");
            }
            bytesLeft -= input.peek() == '"' ? quotedField(bytesLeft) : plainField(bytesLeft);
        } while (delimiterFollows());
        isRowEnded = true;
    }

    /** Adds the field to the row and gives its length in bytes. */
    private int plainField(int maxBytes) {
        input.beginToken(maxBytes);
        if (input.takeUntil(plainStops) == '"') {
            throw input.error("no quote in a field without quotes (quote the field, double the quote)", "'\"'");
        }
        return endField(!strict);
    }

    private int quotedField(int maxBytes) {
        input.advance();
        input.beginToken(maxBytes);
        while (true) {
            int b = input.takeUntil(QUOTED_STOPS);
            if (b < 0) {
                throw input.tokenError("a closing quote for the field that begins here", TextInput.describe(b));
            }
            input.advance();
            if (b == '"') {
                if (input.peek() != '"') {
                    return endField(false);
                }
                input.advance();
            }
            input.put(b);
        }
    }

    private int endField(boolean strip) {
        int length = input.tokenLength();
        String field = input.endToken();
        row.add(strip ? field.strip() : field);
        return length;
    }

    private boolean delimiterFollows() {
        int b = input.peek();
        if (b == '\r') {
            input.advance();
            b = input.peek();
            if (b != '\n') {
                throw input.error("a line feed after the carriage return", TextInput.describe(b));
            }
        }
        if (b >= 0) {
            if (b != delimiter && b != '\n') {
                throw input.error("a delimiter or the end of the line after the closing quote", TextInput.describe(b));
            }
            input.advance();
        }
        return b == delimiter;
    }

    private static String inHeader(int columns) {
        return fields(columns) + " as in the header";
    }

    private static String fields(int count) {
        return count + (count == 1 ? " field" : " fields");
    }
}
