package dev.stoker.formats.zarr.read;

import dev.stoker.formats.zarr.read.ZarrArray.Sharding;
import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.zip.DataFormatException;
import org.jspecify.annotations.Nullable;

/** Finds the chunks of an array, in files of their own or in shards, and decodes them. For one thread. */
final class ChunkReader {
    /** In the index of a shard: this chunk was never written. */
    private static final long MISSING = -1;
    /** Chunks that are known to be missing at a time. */
    private static final int MOST_MISSING = 1 << 16;

    private final ZarrStore store;
    private final ZarrArray array;
    private final Map<String, MemorySegment> decoded = new LinkedHashMap<>(16, 0.75f, true);
    private long decodedBytes;
    /** Those that were looked for and are not there; the rows of a chunk ask for it one after another. */
    private final Set<String> missing = new HashSet<>();

    private String shardKey = "";
    private @Nullable Shard shard;

    /** A file of chunks, and its index. */
    private record Shard(ZarrStore.Blob file, MemorySegment index) {}

    ChunkReader(ZarrStore store, ZarrArray array) {
        this.store = store;
        this.array = array;
    }

    /** The chunk as it is stored, or null if it was never written. */
    ZarrStore.@Nullable Blob find(long[] index) {
        Sharding sharding = array.sharding();
        if (sharding == null) {
            return store.find(ZarrStore.join(array.path(), array.keys().of(index)));
        }
        long[] inGrid = new long[index.length];
        long number = 0;
        for (int d = 0; d < index.length; d++) {
            long perShard = array.grid()[d] / sharding.chunk()[d];
            inGrid[d] = index[d] / perShard;
            number = number * perShard + index[d] % perShard;
        }
        Shard found = shard(ZarrStore.join(array.path(), array.keys().of(inGrid)), sharding);
        return found == null ? null : inner(found, number);
    }

    private ZarrStore.@Nullable Blob inner(Shard in, long number) {
        long at = number * dev.stoker.formats.zarr.layout.Shard.ENTRY_BYTES;
        long offset = in.index.get(LittleEndian.U64, at);
        long length = in.index.get(LittleEndian.U64, at + 8);
        if (offset == MISSING && length == MISSING) {
            return null;
        }
        MemorySegment bytes = in.file.bytes();
        if (offset < 0 || length < 0 || offset > bytes.byteSize() - length) {
            throw store.corrupt(
                    in.file.place(),
                    array.label() + ", " + shardKey + ": chunk " + number + " should lie inside the shard's "
                            + bytes.byteSize() + " bytes but has " + length + " from byte " + offset + " on");
        }
        return in.file.part(offset, length);
    }

    private @Nullable Shard shard(String key, Sharding sharding) {
        if (!key.equals(shardKey)) {
            ZarrStore.Blob file = store.find(key);
            shardKey = key;
            shard = file == null ? null : new Shard(file, index(file, key, sharding));
        }
        return shard;
    }

    private MemorySegment index(ZarrStore.Blob file, String key, Sharding sharding) {
        long chunks = 1;
        for (int d = 0; d < array.rank(); d++) {
            chunks = Math.multiplyExact(chunks, array.grid()[d] / sharding.chunk()[d]);
        }
        long entries = Math.multiplyExact(chunks, dev.stoker.formats.zarr.layout.Shard.ENTRY_BYTES);
        long bytes =
                Math.addExact(entries, sharding.checksum() ? dev.stoker.formats.zarr.layout.Shard.CHECKSUM_BYTES : 0);
        long size = file.bytes().byteSize();
        if (bytes > size) {
            throw store.corrupt(
                    file.place(),
                    "the shard '" + key + "' should end with an index of " + bytes + " bytes but has " + size
                            + " in all");
        }
        long from = sharding.indexAtEnd() ? size - bytes : 0;
        MemorySegment index = file.bytes().asSlice(from, entries);
        if (sharding.checksum() && Checksum.of(index) != file.bytes().get(LittleEndian.U32, from + entries)) {
            throw store.corrupt(
                    file.place() < 0 ? -1 : file.place() + from,
                    "the checksum of the index of shard '" + key + "' does not fit; the file is damaged");
        }
        return index;
    }

    /** The elements of a chunk, or null if it was never written; valid until more is asked for. */
    @Nullable
    MemorySegment decoded(long[] index) {
        String key = Arrays.toString(index);
        MemorySegment known = decoded.get(key);
        if (known != null || missing.contains(key)) {
            return known;
        }
        ZarrStore.Blob stored = find(index);
        if (stored == null) {
            addMissing(key);
            return null;
        }
        MemorySegment bytes = array.codecs().bytes().isEmpty() ? stored.bytes() : decode(stored, key);
        if (!array.isVariable() && bytes.byteSize() != array.chunkBytes()) {
            throw wrongLength(stored, key, bytes.byteSize());
        }
        keep(key, bytes);
        return bytes;
    }

    private void addMissing(String key) {
        store.missing(array);
        if (missing.size() == MOST_MISSING) {
            missing.clear();
        }
        missing.add(key);
    }

    private void keep(String key, MemorySegment bytes) {
        decoded.put(key, bytes);
        decodedBytes += bytes.byteSize();
        var eldest = decoded.entrySet().iterator();
        while (decodedBytes > DecodedLimit.MAX_BYTES && decoded.size() > 1) {
            decodedBytes -= eldest.next().getValue().byteSize();
            eldest.remove();
        }
    }

    private MemorySegment decode(ZarrStore.Blob stored, String key) {
        long limit = array.isVariable() ? DecodedLimit.MAX_BYTES : array.chunkBytes();
        if (limit > DecodedLimit.MAX_BYTES || stored.bytes().byteSize() > 2 * DecodedLimit.MAX_BYTES) {
            throw store.unsupported(array.label() + " has compressed chunks of " + limit + " bytes; Stoker reads up to "
                    + DecodedLimit.MAX_BYTES);
        }
        try {
            byte[] bytes = stored.bytes().toArray(ValueLayout.JAVA_BYTE);
            return MemorySegment.ofArray(array.codecs().decode(bytes, (int) limit));
        } catch (DataFormatException e) {
            throw store.corrupt(
                    stored.place(),
                    array.label() + ", chunk " + key + " (" + array.codecs().describe() + "): "
                            + Objects.requireNonNullElse(e.getMessage(), "damaged"));
        }
    }

    dev.stoker.CorruptContainerException wrongLength(ZarrStore.Blob stored, String key, long found) {
        return store.corrupt(
                stored.place(),
                array.label() + ", chunk " + key + ": should have " + array.chunkBytes() + " bytes but has " + found);
    }
}
