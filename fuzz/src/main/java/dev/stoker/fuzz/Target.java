package dev.stoker.fuzz;

import java.util.List;

/**
 * A parser, and what it is fed with. It may read the input, or refuse it with a {@link dev.stoker.StokerException} that
 * names the file; all else is a finding. Used by one thread.
 */
public interface Target {
    /** Every file that a target makes of an input is called so, with some ending. */
    String FILE = "fuzzed";

    /** What people type, and the folder of its inputs in the corpus. */
    String name();

    /** Reads an input as Stoker does, and uses everything that it claims to hold. */
    void read(byte[] input) throws Exception;

    /** Valid inputs that are made rather than kept in the corpus. */
    default List<byte[]> made() {
        return List.of();
    }

    /** Words of the format, which blind changes would not hit. */
    default List<String> words() {
        return List.of();
    }

    /** Gives a changed input the checksums that fit it, so that the reader does not stop at the first; in place. */
    default void sign(byte[] input) {}

    /** How many bytes of heap reading one small input may take, one after the other. */
    default long mostAllocated() {
        return 64 << 20;
    }

    /** Whether a failure is the parser's own way to refuse. */
    default boolean isRefusal(Throwable failure) {
        return false;
    }
}
