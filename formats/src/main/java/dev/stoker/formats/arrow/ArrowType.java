package dev.stoker.formats.arrow;

import dev.stoker.sample.DType;

/** The types of Arrow's columns, as far as Stoker has to tell them apart. */
sealed interface ArrowType {
    /** A number that Arrow keeps as Stoker does. Dates, times and durations are numbers too. */
    record Numeric(DType dtype) implements ArrowType {}

    /** A single bit. */
    record Bool() implements ArrowType {}

    /** Bytes or text, found by offsets of 32 or (large) 64 bits. */
    record Binary(boolean text, boolean large) implements ArrowType {}

    /** Bytes or text, each found by a view of its own: binary_view, utf8_view. */
    record View(boolean text) implements ArrowType {}

    record FixedBytes(int width) implements ArrowType {}

    /** Its one child holds the elements, found by offsets of 32 or (large) 64 bits. */
    record ListOf(boolean large) implements ArrowType {}

    /** Its one child holds {@code size} elements for each row. */
    record FixedList(int size) implements ArrowType {}

    record Struct() implements ArrowType {}

    /**
     * A type that Stoker does not read.
     *
     * @param buffers how many buffers it has, so that they can be passed over
     * @param validityInV4 whether it has a validity bitmap, too, in metadata of version 4
     */
    record Other(String label, int buffers, boolean validityInV4) implements ArrowType {
        Other(String label, int buffers) {
            this(label, buffers, false);
        }
    }

    /** How many buffers a column has, without those of its children, and without the data buffers of views. */
    default int buffers() {
        return switch (this) {
            case Binary _ -> 3;
            case Numeric _, Bool _, View _, FixedBytes _, ListOf _ -> 2;
            case FixedList _, Struct _ -> 1;
            case Other other -> other.buffers;
        };
    }

    default String label() {
        return switch (this) {
            case Numeric number -> number.dtype.label();
            case Bool _ -> "bool";
            case Binary binary -> (binary.large ? "large_" : "") + (binary.text ? "utf8" : "binary");
            case View view -> view.text ? "utf8_view" : "binary_view";
            case FixedBytes bytes -> "fixed_size_binary[" + bytes.width + "]";
            case ListOf list -> list.large ? "large_list" : "list";
            case FixedList list -> "fixed_size_list[" + list.size + "]";
            case Struct _ -> "struct";
            case Other other -> other.label;
        };
    }
}
