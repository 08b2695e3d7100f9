package dev.stoker.s3;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is asked of the storage.
 *
 * @param key empty for the bucket itself
 * @param headers names in small letters
 */
record Request(
        String method,
        String bucket,
        String key,
        SortedMap<String, String> query,
        Map<String, String> headers,
        ByteBuffer body) {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    static Request of(String method, String bucket, String key) {
        return new Request(method, bucket, key, new TreeMap<>(), new TreeMap<>(), NOTHING);
    }

    Request query(String name, String value) {
        var more = new TreeMap<>(query);
        more.put(name, value);
        return new Request(method, bucket, key, more, headers, body);
    }

    Request header(String name, String value) {
        var more = new TreeMap<>(headers);
        more.put(name, value);
        return new Request(method, bucket, key, query, more, body);
    }

    Request body(ByteBuffer bytes) {
        return new Request(method, bucket, key, query, headers, bytes);
    }

    /** As messages name it. */
    String address() {
        return "s3://" + bucket + (key.isEmpty() ? "" : "/" + key);
    }
}
