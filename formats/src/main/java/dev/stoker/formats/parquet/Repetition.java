package dev.stoker.formats.parquet;

/** How often a column has a value in what holds it; numbered as in the specification. */
enum Repetition {
    REQUIRED,
    OPTIONAL,
    REPEATED
}
