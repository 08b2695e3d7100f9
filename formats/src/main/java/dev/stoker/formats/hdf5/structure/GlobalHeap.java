package dev.stoker.formats.hdf5.structure;

import dev.stoker.formats.shared.array.Span;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Finds the objects of the global heap: collections of objects that have numbers. */
public final class GlobalHeap {
    /** A reference, where addresses have 8 bytes: u32 elements, u64 collection, u32 number of the object there. */
    public static final int REFERENCE_BYTES = 16;

    /** Objects whose places are remembered, over all collections. */
    private static final int REMEMBERED = 1 << 20;
    /** How many objects may be looked at for one that is looked up: far more than in files that programs write. */
    private static final long LOOKS = 4096;

    private final FileBytes file;
    private final Map<Long, Collection> collections = new LinkedHashMap<>(16, 0.75f, true);
    private int remembered;
    private long looks;

    /** The objects of a collection, by their numbers in ascending order. */
    private record Collection(int[] numbers, Span[] places) {
        Span find(int number) {
            int likely = number - 1;
            if (likely >= 0 && likely < numbers.length && numbers[likely] == number) {
                return places[likely];
            }
            int found = Arrays.binarySearch(numbers, number);
            return found < 0 ? NOWHERE : places[found];
        }
    }

    private static final Span NOWHERE = new Span(-1, 0);

    public GlobalHeap(FileBytes file) {
        this.file = file;
        this.looks = file.size() / 16;
    }

    /** How many elements a reference refers to. */
    public long elements(MemorySegment reference) {
        return reference.get(dev.stoker.io.LittleEndian.U32, 0) & 0xffff_ffffL;
    }

    /**
     * The place of a value.
     *
     * @param reference its bytes
     * @param what refers to it, for messages
     */
    public Span find(MemorySegment reference, long elementBytes, String what) {
        long elements = elements(reference);
        if (elements == 0) {
            return new Span(0, 0);
        }
        var bytes = new FileBytes(file.file(), reference, 0, file.offsetBytes(), file.lengthBytes(), file.limits());
        long address = bytes.uint(4, file.offsetBytes());
        long number = bytes.u32(4L + file.offsetBytes());
        if (address < 0 || address > file.size() - file.base()) {
            throw file.corrupt(-1, what + " refers to a heap at " + address + ", outside the file");
        }
        Span object =
                number > 0xffff ? NOWHERE : collection(file.base() + address).find((int) number);
        long length = Math.multiplyExact(elements, elementBytes);
        if (object.offset() < 0 || object.length() < length) {
            throw file.corrupt(
                    file.base() + address,
                    what + " refers to object " + number + " with " + length + " bytes, but the heap here has "
                            + (object.offset() < 0 ? "none of that number" : "one of " + object.length()));
        }
        return new Span(object.offset(), length);
    }

    private Collection collection(long at) {
        looks += LOOKS;
        Collection known = collections.get(at);
        if (known != null) {
            return known;
        }
        Collection read = read(at);
        collections.put(at, read);
        remembered += read.numbers.length;
        var oldest = collections.entrySet().iterator();
        while (remembered > REMEMBERED && collections.size() > 1) {
            remembered -= oldest.next().getValue().numbers.length;
            oldest.remove();
        }
        return read;
    }

    private Collection read(long start) {
        file.signature(start, "GCOL");
        long bytes = file.length(start + 8);
        file.require(start, bytes, "a heap collection");
        int head = 8 + file.lengthBytes();
        var numbers = new int[16];
        var places = new Span[16];
        int count = 0;
        boolean sorted = true;
        for (long at = start + 8 + file.lengthBytes(); at + head <= start + bytes; ) {
            int number = file.u16(at);
            long length = file.length(at + 8);
            if (number == 0) {
                break;
            }
            if (length > start + bytes - at - head || --looks < 0) {
                throw file.corrupt(
                        at,
                        "an object of " + length + " bytes should lie inside its heap collection of " + bytes
                                + " bytes, and collections should not lie in each other");
            }
            if (count == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * count);
                places = Arrays.copyOf(places, 2 * count);
            }
            sorted &= count == 0 || numbers[count - 1] < number;
            numbers[count] = number;
            places[count++] = new Span(at + head, length);
            at += head + (length + 7 & -8);
        }
        numbers = Arrays.copyOf(numbers, count);
        places = Arrays.copyOf(places, count);
        return sorted ? new Collection(numbers, places) : sorted(numbers, places);
    }

    private static Collection sorted(int[] numbers, Span[] places) {
        var byNumber = new java.util.TreeMap<Integer, Span>();
        for (int i = 0; i < numbers.length; i++) {
            byNumber.putIfAbsent(numbers[i], places[i]);
        }
        int[] keys = byNumber.keySet().stream().mapToInt(Integer::intValue).toArray();
        return new Collection(keys, byNumber.values().toArray(new Span[0]));
    }
}
