package dev.stoker.formats.zarr.read;

import dev.stoker.StokerException;
import dev.stoker.formats.zarr.read.ChunkCodecs.ByteCodec;
import dev.stoker.formats.zarr.read.ZarrArray.ChunkKeys;
import dev.stoker.formats.zarr.read.ZarrArray.Sharding;
import dev.stoker.sample.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what {@code zarr.json} says of an array. */
final class Zarr3Metadata {
    private final MetadataObject members;
    private final String path;
    private final long[] shape;

    private Zarr3Metadata(MetadataObject members, String path) {
        this.members = members;
        this.path = path;
        this.shape = members.numbers("shape");
    }

    static ZarrArray read(MetadataObject members, String path) {
        return new Zarr3Metadata(members, path).read();
    }

    /** What the codecs of a list do. */
    private record Codecs(ChunkCodecs chunk, @Nullable Sharding sharding, boolean bigEndian) {}

    private ZarrArray read() {
        if (!members.objects("storage_transformers").isEmpty()) {
            throw unsupported("has storage transformers, which Stoker does not read");
        }
        MetadataObject gridOf = members.object("chunk_grid");
        if (!gridOf.text("name").equals("regular")) {
            throw unsupported("has a chunk grid '" + gridOf.text("name") + "'; Stoker reads 'regular'");
        }
        long[] grid = chunkShape(gridOf.configuration());
        Codecs codecs = codecs(members.objects("codecs"), true);
        ElementType type = type(codecs.bigEndian);
        byte[] fill = type instanceof ElementType.Other ? new byte[0] : FillValue.of(members, type);
        return new ZarrArray(
                path,
                type,
                shape,
                grid,
                keys(),
                fill,
                ArrayAttributes.of(members.get("attributes")),
                codecs.chunk,
                codecs.sharding);
    }

    private StokerException unsupported(String what) {
        return members.store().unsupported(ZarrArray.label(path) + " " + what);
    }

    private long[] chunkShape(MetadataObject from) {
        long[] chunk = from.numbers("chunk_shape");
        if (chunk.length != shape.length || java.util.Arrays.stream(chunk).anyMatch(n -> n < 1)) {
            throw from.wrong("chunk_shape", "a number of at least 1 for each of " + shape.length + " dimensions");
        }
        return chunk;
    }

    private ChunkKeys keys() {
        MetadataObject encoding = members.object("chunk_key_encoding");
        boolean isDefault = encoding.text("name").equals("default");
        if (!isDefault && !encoding.text("name").equals("v2")) {
            throw unsupported("names its chunks by '" + encoding.text("name") + "'; Stoker reads 'default' and 'v2'");
        }
        String separator = encoding.configuration().textOr("separator", isDefault ? "/" : ".");
        if (!separator.equals("/") && !separator.equals(".")) {
            throw encoding.configuration().wrong("separator", "'/' or '.'");
        }
        return new ChunkKeys(isDefault ? "c" : "", separator);
    }

    private Codecs codecs(List<MetadataObject> list, boolean outer) {
        int[] order = ChunkCodecs.rowMajor(shape.length);
        boolean bigEndian = false;
        var bytes = new ArrayList<ByteCodec>();
        for (MetadataObject codec : list) {
            String name = codec.text("name");
            switch (name) {
                case "bytes" ->
                    bigEndian = codec.configuration().textOr("endian", "little").equals("big");
                case "vlen-utf8", "vlen-bytes" -> {
                    // The type tells which of them it is.
                }
                case "transpose" -> order = transposed(order, codec.configuration());
                case "sharding_indexed" -> {
                    if (!outer || list.size() > 1) {
                        throw unsupported("has shards within other codecs, which Stoker does not read");
                    }
                    return sharded(codec.configuration());
                }
                default -> bytes.add(ByteCodecs.of(ZarrArray.label(path), name, codec.configuration()));
            }
        }
        return new Codecs(
                new ChunkCodecs(order, ByteCodecs.checked(members.store(), ZarrArray.label(path), bytes)),
                null,
                bigEndian);
    }

    private int[] transposed(int[] order, MetadataObject codec) {
        long[] by = codec.numbers("order");
        int[] result = new int[order.length];
        long seen = 0;
        for (int d = 0; d < by.length && by.length == order.length && by[d] < by.length; d++) {
            result[d] = order[(int) by[d]];
            seen |= 1L << by[d];
        }
        if (seen != (1L << order.length) - 1 || by.length != order.length) {
            throw codec.wrong("order", "every dimension once");
        }
        return result;
    }

    private Codecs sharded(MetadataObject shards) {
        long[] inner = chunkShape(shards);
        long[] grid = members.object("chunk_grid").configuration().numbers("chunk_shape");
        for (int d = 0; d < inner.length; d++) {
            if (grid[d] % inner[d] != 0) {
                throw shards.wrong("chunk_shape", "dimensions that divide those of the shard,");
            }
        }
        boolean checksum = false;
        for (MetadataObject codec : shards.objects("index_codecs")) {
            String name = codec.text("name");
            boolean isLittle = name.equals("bytes")
                    && codec.configuration().textOr("endian", "little").equals("little");
            if (name.equals("crc32c")) {
                checksum = true;
            } else if (!isLittle) {
                throw unsupported("has an index of shards with codec '" + name
                        + "'; Stoker reads 'bytes' (little-endian) and 'crc32c'");
            }
        }
        String location = shards.textOr("index_location", "end");
        if (!location.equals("end") && !location.equals("start")) {
            throw shards.wrong("index_location", "'start' or 'end'");
        }
        Codecs codecs = codecs(shards.objects("codecs"), false);
        return new Codecs(codecs.chunk, new Sharding(inner, location.equals("end"), checksum), codecs.bigEndian);
    }

    private ElementType type(boolean bigEndian) {
        Object given = members.get("data_type");
        MetadataObject of = MetadataObject.of(
                members.store(),
                members.place() + " 'data_type'",
                given instanceof String name ? Map.of("name", name) : given);
        String name = of.text("name");
        return switch (name) {
            case "string" -> new ElementType.Text();
            case "variable_length_bytes", "bytes" -> new ElementType.Binary();
            case "fixed_length_utf32" -> new ElementType.FixedText(fixedBytes(of), true, bigEndian);
            case "null_terminated_bytes" -> new ElementType.FixedText(fixedBytes(of), false, false);
            default -> {
                for (DType dtype : DType.values()) {
                    if (dtype.label().equals(name)) {
                        yield new ElementType.Number(dtype, bigEndian);
                    }
                }
                yield new ElementType.Other(name);
            }
        };
    }

    private static long fixedBytes(MetadataObject type) {
        if (type.configuration().get("length_bytes") instanceof Long bytes && bytes > 0 && bytes < 1 << 24) {
            return bytes;
        }
        throw type.configuration().wrong("length_bytes", "1 to 2^24 bytes");
    }
}
