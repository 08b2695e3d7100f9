package dev.stoker.formats.parquet.read;

import dev.stoker.formats.parquet.schema.PageLocation;

/** The distinct values that pages of a column refer to by number. */
final class Dictionary {
    private final ByteSpan span;
    private final int size;
    private final long[] places;
    private final int[] lengths;

    /**
     * Reads a dictionary page.
     *
     * @param values those of the page, in order
     * @param most how many the page has bytes for
     */
    Dictionary(ByteSpan span, ValueDecoder values, int size, long most, PageLocation place) {
        if (size > most) {
            throw place.corrupt("a dictionary page of " + span.length() + " bytes cannot hold " + size + " values");
        }
        this.span = span;
        this.size = size;
        this.places = new long[size];
        this.lengths = new int[size];
        for (int i = 0; i < size; i++) {
            values.next();
            places[i] = values.at();
            lengths[i] = (int) values.length();
        }
    }

    ByteSpan span() {
        return span;
    }

    int size() {
        return size;
    }

    long at(int number) {
        return places[number];
    }

    int length(int number) {
        return lengths[number];
    }
}
