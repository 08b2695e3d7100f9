package dev.stoker.formats.zarr.write;

import dev.stoker.formats.shared.array.Area;
import dev.stoker.formats.zarr.layout.Shard;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An array of a planned container: one shard, or none where it has no elements.
 *
 * @param name in its group
 * @param type the name of its data type
 * @param chunk the dimensions of an inner chunk
 * @param shards the dimensions of the shard
 * @param values its elements; no bytes if it has no shard
 */
record PlannedArray(
        String name,
        String type,
        long[] shape,
        long[] chunk,
        long[] shards,
        Area values,
        @Nullable Shard shard) {
    static final String TEXT = "string";

    /** The name of the shard's file in the array's folder. */
    String shardKey() {
        return "c" + "/0".repeat(shape.length);
    }

    /** What stands in {@code zarr.json}. */
    Map<String, @Nullable Object> metadata() {
        var json = new LinkedHashMap<String, @Nullable Object>();
        json.put("zarr_format", 3);
        json.put("node_type", "array");
        json.put("shape", list(shape));
        json.put("data_type", type);
        json.put("chunk_grid", named("regular", Map.of("chunk_shape", list(shards))));
        json.put("chunk_key_encoding", named("default", Map.of("separator", "/")));
        json.put("fill_value", fillValue());
        json.put("codecs", List.of(named("sharding_indexed", sharding())));
        json.put("attributes", Map.of());
        json.put("storage_transformers", List.of());
        return json;
    }

    private Map<String, @Nullable Object> sharding() {
        Object little = named("bytes", Map.of("endian", "little"));
        var json = new LinkedHashMap<String, @Nullable Object>();
        json.put("chunk_shape", list(chunk));
        json.put("codecs", List.of(type.equals(TEXT) ? Map.of("name", "vlen-utf8") : little));
        json.put("index_codecs", List.of(little, Map.of("name", "crc32c")));
        json.put("index_location", "end");
        return json;
    }

    private Object fillValue() {
        return switch (type) {
            case TEXT -> "";
            case "bool" -> false;
            case "float16", "float32", "float64" -> 0.0;
            default -> 0;
        };
    }

    private static Map<String, @Nullable Object> named(String name, Object configuration) {
        var json = new LinkedHashMap<String, @Nullable Object>();
        json.put("name", name);
        json.put("configuration", configuration);
        return json;
    }

    private static List<Long> list(long[] numbers) {
        return java.util.Arrays.stream(numbers).boxed().toList();
    }
}
