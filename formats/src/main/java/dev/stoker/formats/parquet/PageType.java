package dev.stoker.formats.parquet;

/** The kinds of pages, numbered as in the specification. */
final class PageType {
    static final int DATA = 0;
    static final int INDEX = 1;
    static final int DICTIONARY = 2;
    static final int DATA_V2 = 3;

    private PageType() {}
}
