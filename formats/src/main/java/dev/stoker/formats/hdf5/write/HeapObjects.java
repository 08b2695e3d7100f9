package dev.stoker.formats.hdf5.write;

import dev.stoker.format.RunWriter;
import dev.stoker.formats.hdf5.structure.GlobalHeap;
import dev.stoker.formats.shared.array.TableArea.Numbers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What of each sample lies in a heap, and how the dataset refers to it. */
interface HeapObjects {
    int HEAD_BYTES = 16;

    /**
     * What a sample needs of a heap collection.
     *
     * @param objects how many objects
     * @param bytes of these, with their heads and padding
     */
    record Size(int objects, long bytes) {}

    Size size(long sample);

    /**
     * Gives the objects of a sample.
     *
     * @param collection the address of the collection that they are in
     * @param first the number that the first of them has there
     */
    void put(long sample, long collection, int first, RunWriter out);

    /** Gives the reference to the sample's value, {@value GlobalHeap#REFERENCE_BYTES} bytes. */
    void refer(long sample, long collection, int first, Numbers out);

    /** The bytes of an object in the heap. */
    static long bytes(long length) {
        return HEAD_BYTES + (Math.addExact(length, 7) & -8);
    }

    /** What stands before an object: its number, how often it is referred to, its length. */
    static byte[] head(int number, long length) {
        return ByteBuffer.allocate(HEAD_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) number)
                .putShort((short) (number == 0 ? 0 : 1))
                .putInt(0)
                .putLong(length)
                .array();
    }

    static void reference(long elements, long collection, int number, Numbers out) {
        out.u32(elements);
        out.u64(collection);
        out.u32(number);
    }

    /** Refers to nothing: an empty value. */
    static void noReference(Numbers out) {
        reference(0, 0, 0, out);
    }
}
