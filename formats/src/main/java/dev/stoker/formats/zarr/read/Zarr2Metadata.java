package dev.stoker.formats.zarr.read;

import dev.stoker.StokerException;
import dev.stoker.formats.zarr.read.ChunkCodecs.ByteCodec;
import dev.stoker.formats.zarr.read.ZarrArray.ChunkKeys;
import dev.stoker.sample.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what {@code .zarray} of Zarr 2 says of an array. */
final class Zarr2Metadata {
    private static final Map<String, DType> NUMBERS = Map.ofEntries(
            Map.entry("i1", DType.INT8),
            Map.entry("i2", DType.INT16),
            Map.entry("i4", DType.INT32),
            Map.entry("i8", DType.INT64),
            Map.entry("u1", DType.UINT8),
            Map.entry("u2", DType.UINT16),
            Map.entry("u4", DType.UINT32),
            Map.entry("u8", DType.UINT64),
            Map.entry("f2", DType.FLOAT16),
            Map.entry("f4", DType.FLOAT32),
            Map.entry("f8", DType.FLOAT64),
            Map.entry("b1", DType.BOOL));

    private final MetadataObject members;
    private final String path;

    private final @Nullable Object attributes;

    private Zarr2Metadata(MetadataObject members, String path, @Nullable Object attributes) {
        this.members = members;
        this.path = path;
        this.attributes = attributes;
    }

    /** @param attributes the document beside it, or null */
    static ZarrArray read(MetadataObject members, String path, @Nullable Object attributes) {
        return new Zarr2Metadata(members, path, attributes).read();
    }

    private ZarrArray read() {
        long[] shape = members.numbers("shape");
        long[] grid = members.numbers("chunks");
        if (grid.length != shape.length || java.util.Arrays.stream(grid).anyMatch(n -> n < 1)) {
            throw members.wrong("chunks", "a number of at least 1 for each of " + shape.length + " dimensions");
        }
        String separator = members.textOr("dimension_separator", ".");
        if (!separator.equals("/") && !separator.equals(".")) {
            throw members.wrong("dimension_separator", "'/' or '.'");
        }
        ElementType type = type();
        byte[] fill = type instanceof ElementType.Other ? new byte[0] : FillValue.of(members, type);
        return new ZarrArray(
                path, type, shape, grid, new ChunkKeys("", separator), fill, attributes(), codecs(shape.length), null);
    }

    /** What xarray calls {@code _FillValue} it writes as the fill value of the array, if it names dimensions. */
    private Map<String, String> attributes() {
        Map<String, String> found = ArrayAttributes.of(attributes);
        Object fill = members.get("fill_value");
        boolean isOfXarray = attributes instanceof Map<?, ?> map && map.containsKey("_ARRAY_DIMENSIONS");
        if (isOfXarray && fill != null) {
            found.putIfAbsent("_FillValue", String.valueOf(fill));
        }
        return found;
    }

    private StokerException unsupported(String what) {
        return members.store().unsupported(ZarrArray.label(path) + " " + what);
    }

    private ChunkCodecs codecs(int rank) {
        int[] order = ChunkCodecs.rowMajor(rank);
        String given = members.text("order");
        if (given.equals("F")) {
            for (int d = 0; d < rank; d++) {
                order[d] = rank - 1 - d;
            }
        } else if (!given.equals("C")) {
            throw members.wrong("order", "'C' or 'F'");
        }
        var codecs = new ArrayList<ByteCodec>();
        for (MetadataObject filter : members.objects("filters")) {
            if (!isVariable(filter.text("id"))) {
                throw unsupported("has a filter '" + filter.text("id") + "', which Stoker does not read");
            }
        }
        if (members.get("compressor") != null) {
            MetadataObject compressor = members.object("compressor");
            codecs.add(ByteCodecs.of(ZarrArray.label(path), compressor.text("id"), compressor));
        }
        return new ChunkCodecs(order, codecs);
    }

    private static boolean isVariable(String filter) {
        return filter.equals("vlen-utf8") || filter.equals("vlen-bytes");
    }

    private ElementType type() {
        if (!(members.get("dtype") instanceof String dtype) || dtype.length() < 2) {
            return new ElementType.Other("a structure");
        }
        boolean bigEndian = dtype.charAt(0) == '>';
        String kind = dtype.substring(1);
        DType number = NUMBERS.get(kind);
        if (number != null) {
            return new ElementType.Number(number, bigEndian);
        }
        List<MetadataObject> filters = members.objects("filters");
        if (kind.equals("O")
                && !filters.isEmpty()
                && isVariable(filters.getFirst().text("id"))) {
            boolean isText = filters.getFirst().text("id").equals("vlen-utf8");
            return isText ? new ElementType.Text() : new ElementType.Binary();
        }
        if (kind.matches("[SU][1-9][0-9]{0,5}")) {
            long letters = Long.parseLong(kind.substring(1));
            boolean utf32 = kind.charAt(0) == 'U';
            return new ElementType.FixedText(utf32 ? 4 * letters : letters, utf32, bigEndian);
        }
        return new ElementType.Other(dtype);
    }
}
