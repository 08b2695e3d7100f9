package dev.stoker.formats.parquet.read;

/** Says that a value is null in a column whose values were to be read where they are: it has none that could stand for it. */
@SuppressWarnings("serial")
final class NullInPlaceException extends RuntimeException {
    NullInPlaceException() {
        super(null, null, false, false);
    }
}
