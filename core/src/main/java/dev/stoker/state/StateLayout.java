package dev.stoker.state;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.MappedFile;
import dev.stoker.json.Json;
import java.io.ByteArrayInputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The places of all tensors of a file.
 *
 * @param metadata texts by name
 * @param places by name, in the order of the header
 * @param start where the first tensor begins
 */
record StateLayout(Map<String, String> metadata, Map<String, Place> places, long start, long size) {
    /** What the format's own library reads at most. */
    static final int MAX_HEADER_BYTES = 100_000_000;

    private static final String METADATA = "__metadata__";
    private static final int LENGTH_BYTES = 8;
    private static final int SHOWN = 200;

    /**
     * A tensor in a file.
     *
     * @param begin counted from the first byte of the file
     */
    record Place(Tensor tensor, long begin) {
        long end() {
            return begin + tensor.bytes();
        }
    }

    /** Finds a place for each tensor: a pure function of what it is given, in whatever order. */
    static StateLayout plan(List<Tensor> tensors, Map<String, String> metadata) {
        var sorted = new ArrayList<>(tensors);
        sorted.sort(Comparator.<Tensor>comparingInt(tensor -> -tensor.type().bytes())
                .thenComparing(tensor -> tensor.name().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned));
        var places = new LinkedHashMap<String, Place>();
        long end = 0;
        for (Tensor tensor : sorted) {
            if (tensor.name().equals(METADATA) || places.putIfAbsent(tensor.name(), new Place(tensor, end)) != null) {
                throw new StokerException("tensor '" + tensor.name() + "' appears twice, or its name is reserved");
            }
            end = Math.addExact(end, tensor.bytes());
        }
        var unplaced = new StateLayout(Map.copyOf(metadata), places, 0, end);
        long start = LENGTH_BYTES + (long) unplaced.header().length;
        places.replaceAll((name, place) -> new Place(place.tensor(), start + place.begin()));
        return new StateLayout(metadata, places, start, start + end);
    }

    /** The header's text, padded. */
    private byte[] header() {
        var all = new LinkedHashMap<String, @Nullable Object>();
        if (!metadata.isEmpty()) {
            all.put(METADATA, new TreeMap<>(metadata));
        }
        places.forEach((name, place) -> {
            var one = new LinkedHashMap<String, @Nullable Object>();
            one.put("dtype", place.tensor().type().name());
            one.put("shape", place.tensor().shape());
            one.put("data_offsets", List.of(place.begin() - start, place.end() - start));
            all.put(name, one);
        });
        String text = Json.write(all);
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        if (length > MAX_HEADER_BYTES) {
            throw new StokerException("the header has " + length + " bytes but may have " + MAX_HEADER_BYTES);
        }
        return (text + " ".repeat(-length & 7)).getBytes(StandardCharsets.UTF_8);
    }

    /** What stands before the tensors. */
    MemorySegment head() {
        byte[] header = header();
        MemorySegment head = MemorySegment.ofArray(new byte[LENGTH_BYTES + header.length]);
        head.set(LittleEndian.U64, 0, header.length);
        MemorySegment.copy(header, 0, head, ValueLayout.JAVA_BYTE, LENGTH_BYTES, header.length);
        return head;
    }

    /** Reads the header of a file by anybody. No place lies outside the file, none overlaps another, none is missing. */
    static StateLayout read(MappedFile file) {
        long length = file.size() < LENGTH_BYTES ? -1 : file.bytes().get(LittleEndian.U64, 0);
        if (length < 0 || length > file.size() - LENGTH_BYTES || length > MAX_HEADER_BYTES) {
            throw damaged(
                    file,
                    0,
                    "a header of " + Long.toUnsignedString(length) + " bytes does not fit into " + file.size()
                            + " bytes, or is longer than " + MAX_HEADER_BYTES
                            + "; the file is cut off, or not safetensors");
        }
        byte[] text = file.bytes().asSlice(LENGTH_BYTES, length).toArray(ValueLayout.JAVA_BYTE);
        Object parsed = Json.parse(new ByteArrayInputStream(text), file.path().toString(), MAX_HEADER_BYTES);
        if (!(parsed instanceof Map<?, ?> header)) {
            throw damaged(file, LENGTH_BYTES, "the header should be an object but is not");
        }
        long start = LENGTH_BYTES + length;
        var places = new LinkedHashMap<String, Place>();
        header.forEach((name, value) -> {
            if (!METADATA.equals(name)) {
                places.put((String) name, place(file, (String) name, value, start));
            }
        });
        requireNoGaps(file, places, start);
        return new StateLayout(texts(file, header.get(METADATA)), places, start, file.size());
    }

    private static Map<String, String> texts(MappedFile file, @Nullable Object metadata) {
        var texts = new LinkedHashMap<String, String>();
        if (metadata == null) {
            return texts;
        }
        if (!(metadata instanceof Map<?, ?> all)) {
            throw damaged(file, LENGTH_BYTES, METADATA + " should be an object of texts but is not");
        }
        all.forEach((name, value) -> {
            if (!(value instanceof String text)) {
                throw damaged(
                        file, LENGTH_BYTES, METADATA + " should be an object of texts, but '" + name + "' is none");
            }
            texts.put((String) name, text);
        });
        return texts;
    }

    private static Place place(MappedFile file, String name, @Nullable Object value, long start) {
        String what = "tensor '" + name.substring(0, Math.min(SHOWN, name.length())) + "'";
        if (!(value instanceof Map<?, ?> one)
                || !one.keySet().equals(Set.of("dtype", "shape", "data_offsets"))
                || !(one.get("dtype") instanceof String dtype)) {
            throw damaged(file, LENGTH_BYTES, what + " should have dtype, shape and data_offsets but does not");
        }
        List<Long> offsets = numbers(file, what + ": data_offsets", one.get("data_offsets"));
        TensorType type = type(file, what, dtype);
        Tensor tensor;
        try {
            tensor = new Tensor(name, type, numbers(file, what + ": shape", one.get("shape")));
        } catch (CorruptContainerException e) {
            throw e;
        } catch (StokerException e) {
            throw damaged(file, LENGTH_BYTES, String.valueOf(e.getMessage()));
        }
        if (offsets.size() != 2 || offsets.get(1) - offsets.get(0) != tensor.bytes()) {
            throw damaged(
                    file,
                    LENGTH_BYTES,
                    what + ", " + dtype + " " + tensor.shape() + ", should have " + tensor.bytes()
                            + " bytes but its data_offsets are " + offsets);
        }
        return new Place(tensor, Math.addExact(start, offsets.getFirst()));
    }

    private static TensorType type(MappedFile file, String what, String dtype) {
        for (TensorType type : TensorType.values()) {
            if (type.name().equals(dtype)) {
                return type;
            }
        }
        throw new StokerException(
                file.path(), what + " has the type " + dtype + "; known are " + List.of(TensorType.values()));
    }

    private static List<Long> numbers(MappedFile file, String what, @Nullable Object value) {
        var numbers = new ArrayList<Long>();
        if (value instanceof List<?> list) {
            for (Object each : list) {
                // Half of the range, so that the start of the data can be added.
                if (each instanceof Long number && number >= 0 && number < Long.MAX_VALUE / 2) {
                    numbers.add(number);
                } else {
                    throw damaged(file, LENGTH_BYTES, what + " should be sizes, but " + each + " is none");
                }
            }
            return numbers;
        }
        throw damaged(file, LENGTH_BYTES, what + " should be a list of sizes");
    }

    private static void requireNoGaps(MappedFile file, Map<String, Place> places, long start) {
        var sorted = new ArrayList<>(places.values());
        sorted.sort(Comparator.comparingLong(Place::begin).thenComparingLong(Place::end));
        long end = start;
        for (Place place : sorted) {
            if (place.begin() != end) {
                throw damaged(
                        file,
                        end,
                        "tensor '" + place.tensor().name() + "' should begin here but begins at " + place.begin()
                                + "; tensors have no gaps and do not overlap");
            }
            end = place.end();
        }
        if (end != file.size()) {
            throw damaged(
                    file,
                    end,
                    "the tensors end here but the file has " + file.size()
                            + " bytes; it is cut off, or something was appended");
        }
    }

    private static CorruptContainerException damaged(MappedFile file, long offset, String reason) {
        return new CorruptContainerException(file.path().toString(), offset, reason);
    }
}
