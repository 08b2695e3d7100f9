package dev.stoker.formats.zarr.read;

import dev.stoker.sample.DType;

/** What the elements of an array are. */
sealed interface ElementType {
    /** Bytes of an element in a decoded chunk; -1 if each has a length of its own. */
    long bytes();

    /** As people know it. */
    default String label() {
        return switch (this) {
            case Number number -> number.dtype.label();
            case FixedText _ -> "text of one length";
            case Text _ -> "text";
            case Binary _ -> "bytes";
            case Other other -> other.name;
        };
    }

    record Number(DType dtype, boolean bigEndian) implements ElementType {
        @Override
        public long bytes() {
            return dtype.bytes();
        }

        /** Whether the bytes of each number have to be turned round. */
        boolean isTurned() {
            return bigEndian && dtype.bytes() > 1;
        }
    }

    /** Text of one length, filled up with NUL; each letter has four bytes or one. */
    record FixedText(long bytes, boolean utf32, boolean bigEndian) implements ElementType {}

    /** Text of any length. */
    record Text() implements ElementType {
        @Override
        public long bytes() {
            return -1;
        }
    }

    /** Bytes of any length. */
    record Binary() implements ElementType {
        @Override
        public long bytes() {
            return -1;
        }
    }

    /** What no field is: complex numbers, times, structures. */
    record Other(String name) implements ElementType {
        @Override
        public long bytes() {
            return 0;
        }
    }
}
