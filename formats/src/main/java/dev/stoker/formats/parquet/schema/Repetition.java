package dev.stoker.formats.parquet.schema;

/** How often a column has a value in what holds it; numbered as in the specification. */
public enum Repetition {
    REQUIRED,
    OPTIONAL,
    REPEATED
}
