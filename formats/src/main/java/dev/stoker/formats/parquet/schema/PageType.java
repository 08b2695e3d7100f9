package dev.stoker.formats.parquet.schema;

/** The kinds of pages, numbered as in the specification. */
public final class PageType {
    public static final int DATA = 0;
    static final int INDEX = 1;
    public static final int DICTIONARY = 2;
    public static final int DATA_V2 = 3;

    private PageType() {}
}
