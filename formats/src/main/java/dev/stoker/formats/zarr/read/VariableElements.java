package dev.stoker.formats.zarr.read;

import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The elements of an array that have a length each, as the codecs vlen-utf8 and vlen-bytes store them: {@code u32} how
 * many there are in the chunk, then for each {@code u32} length and its bytes.
 */
final class VariableElements {
    /** Chunks whose elements are known at a time. */
    private static final int KEPT = 64;

    private final ZarrStore store;
    private final ZarrArray array;
    private final ChunkReader chunks;
    private final long[] strides;
    private final Map<String, Parsed> parsed = new LinkedHashMap<>(16, 0.75f, true);

    /** An element's bytes, and where they lie in the container's file, or -1. */
    record Element(MemorySegment bytes, long place) {}

    /**
     * A chunk.
     *
     * @param starts where each element's length stands; and the end of the last
     */
    private record Parsed(MemorySegment bytes, long place, int[] starts) {}

    VariableElements(ZarrStore store, ZarrArray array) {
        this.store = store;
        this.array = array;
        this.chunks = new ChunkReader(store, array);
        this.strides = array.codecs().strides(array.chunk());
    }

    ZarrArray array() {
        return array;
    }

    ZarrStore store() {
        return store;
    }

    /** Whether every element lies in the file. */
    boolean isInFile() {
        if (!array.codecs().bytes().isEmpty()) {
            return false;
        }
        long[] index = new long[array.rank()];
        for (long chunk = 0; chunk < array.chunks(); chunk++) {
            ZarrStore.Blob stored = chunks.find(index);
            if (stored == null || stored.place() < 0) {
                return false;
            }
            for (int d = index.length - 1; d >= 0 && ++index[d] == array.across(d) && d > 0; d--) {
                index[d] = 0;
            }
        }
        return true;
    }

    Element element(long... at) {
        long[] index = new long[at.length];
        long number = 0;
        for (int d = 0; d < at.length; d++) {
            index[d] = at[d] / array.chunk()[d];
            number += at[d] % array.chunk()[d] * strides[d];
        }
        Parsed chunk = parsed(index);
        if (chunk == null) {
            return new Element(MemorySegment.ofArray(array.fill()), -1);
        }
        int start = chunk.starts[(int) number] + 4;
        int length = chunk.starts[(int) number + 1] - start;
        return new Element(chunk.bytes.asSlice(start, length), chunk.place < 0 ? -1 : chunk.place + start);
    }

    private @Nullable Parsed parsed(long[] index) {
        String key = Arrays.toString(index);
        Parsed known = parsed.get(key);
        if (known != null) {
            return known;
        }
        MemorySegment bytes = chunks.decoded(index);
        if (bytes == null) {
            return null;
        }
        ZarrStore.Blob stored = chunks.find(index);
        long place = stored != null && array.codecs().bytes().isEmpty() ? stored.place() : -1;
        var made = new Parsed(bytes, place, starts(bytes, key));
        parsed.put(key, made);
        if (parsed.size() > KEPT) {
            parsed.remove(parsed.keySet().iterator().next());
        }
        return made;
    }

    private int[] starts(MemorySegment bytes, String key) {
        long elements = array.chunkElements();
        long count = bytes.byteSize() < 4 ? -1 : Integer.toUnsignedLong(bytes.get(LittleEndian.U32, 0));
        if (count != elements || count > bytes.byteSize() / 4 || bytes.byteSize() > Integer.MAX_VALUE - 8) {
            throw store.corrupt(
                    -1,
                    array.label() + ", chunk " + key + ": should hold " + elements + " elements, but " + count + " in "
                            + bytes.byteSize() + " bytes");
        }
        int[] starts = new int[(int) count + 1];
        long at = 4;
        for (int i = 0; i < count; i++) {
            starts[i] = (int) at;
            long length = at > bytes.byteSize() - 4 ? -1 : Integer.toUnsignedLong(bytes.get(LittleEndian.U32, at));
            if (length < 0 || length > bytes.byteSize() - at - 4) {
                throw store.corrupt(
                        -1, array.label() + ", chunk " + key + ": element " + i + " reaches beyond the chunk");
            }
            at += 4 + length;
        }
        starts[(int) count] = (int) at;
        return starts;
    }

    /** Refuses an array whose elements have to be kept and are too many. */
    void requireSmall() {
        // The Index needs an extent for each, also where it has no bytes.
        long elements = Math.multiplyExact(array.count(), array.rank() > 1 ? Math.max(1, array.shape()[1]) : 1);
        DecodedLimit.requireSmall(store, array, Math.multiplyExact(elements, 20), array.chunks());
    }
}
