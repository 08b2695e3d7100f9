package dev.stoker.formats.parquet.write;

import dev.stoker.formats.parquet.schema.PhysicalType;
import dev.stoker.sample.DType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A column that is written: where it stands in the schema, what writes it, and which rows make which of its pages. */
final class LeafColumn {
    private final int field;
    private final List<String> path;
    private final PhysicalType physical;
    private final @Nullable DType bounded;
    private final PageWriter writer;
    private long[] firstRows = new long[16];
    private int pages;

    /**
     * A column without pages.
     *
     * @param bounded the type of its numbers, if its pages are to have bounds, else null
     */
    LeafColumn(int field, List<String> path, PhysicalType physical, @Nullable DType bounded, PageWriter writer) {
        this.field = field;
        this.path = path;
        this.physical = physical;
        this.bounded = bounded;
        this.writer = writer;
    }

    int field() {
        return field;
    }

    List<String> path() {
        return path;
    }

    PhysicalType physical() {
        return physical;
    }

    @Nullable
    DType bounded() {
        return bounded;
    }

    PageWriter writer() {
        return writer;
    }

    /** Adds a page that begins with a row. */
    void page(long firstRow) {
        if (pages == firstRows.length) {
            firstRows = Arrays.copyOf(firstRows, 2 * pages);
        }
        firstRows[pages++] = firstRow;
    }

    /** The page that begins with a row. */
    int pageAt(long firstRow) {
        return Arrays.binarySearch(firstRows, 0, pages, firstRow);
    }

    int pages() {
        return pages;
    }

    /** The first row of a page; of the page behind the last one, the number of all rows. */
    long firstRow(int page, long rows) {
        return page == pages ? rows : firstRows[page];
    }
}
