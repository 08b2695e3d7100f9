package dev.stoker.formats.hdf5.structure;

import dev.stoker.sample.DType;
import java.util.List;

/** The type of a dataset's elements. */
public sealed interface Datatype {
    /** Bytes of one element in the dataset's raw data. */
    long bytes();

    /** As people know it. */
    String label();

    record Number(DType dtype, boolean bigEndian) implements Datatype {
        @Override
        public long bytes() {
            return dtype.bytes();
        }

        @Override
        public String label() {
            return (bigEndian && dtype.bytes() > 1 ? "big-endian " : "") + dtype.label();
        }
    }

    /** Text of one length; shorter ones are padded. */
    record FixedText(long bytes, Padding padding) implements Datatype {
        public enum Padding {
            NUL_ENDS,
            NULS,
            SPACES
        }

        @Override
        public String label() {
            return "string of " + bytes + " bytes";
        }
    }

    /** Text in the global heap. */
    record HeapText(long bytes) implements Datatype {
        @Override
        public String label() {
            return "variable-length string";
        }
    }

    /** A sequence in the global heap. */
    record Sequence(long bytes, Datatype element) implements Datatype {
        @Override
        public String label() {
            return "variable-length sequence of " + element.label();
        }
    }

    /** An array in every element. */
    record Tensor(Datatype element, List<Long> shape) implements Datatype {
        @Override
        public long bytes() {
            long bytes = element.bytes();
            for (long dimension : shape) {
                bytes = Math.multiplyExact(bytes, dimension);
            }
            return bytes;
        }

        @Override
        public String label() {
            return "array " + shape + " of " + element.label();
        }
    }

    /** A record of members, each at a place of its own; those of compounds in it are its own, by names as {@code a.b}. */
    record Compound(long bytes, List<Member> members) implements Datatype {
        /** @param offset its place in the record */
        public record Member(String name, long offset, Datatype type) {}

        @Override
        public String label() {
            return "compound";
        }
    }

    /** One that Stoker has no field type for. */
    record Other(long bytes, String label) implements Datatype {}
}
