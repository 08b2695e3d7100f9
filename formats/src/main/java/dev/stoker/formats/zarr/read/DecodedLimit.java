package dev.stoker.formats.zarr.read;

import dev.stoker.json.Json;

/** What is decoded once, into the Index, has bounds. */
final class DecodedLimit {
    /** More is not worth keeping twice. */
    static final long MAX_BYTES = 256 << 20;

    /** More is not worth the time, when chunks are larger than what is needed of them. */
    private static final long MAX_WORK = 4 * MAX_BYTES;

    private DecodedLimit() {}

    static void requireDocument(ZarrStore store, String key, long length) {
        if (length > Json.DEFAULT_MAX_BYTES) {
            throw store.unsupported(
                    "'" + key + "' has " + length + " bytes of metadata; Stoker reads up to " + Json.DEFAULT_MAX_BYTES);
        }
    }

    /** @param chunks how many chunks of an array have to be decoded */
    static void requireSmall(ZarrStore store, ZarrArray array, long total, long chunks) {
        long work = Math.multiplyExact(chunks, array.isVariable() ? 1 : array.chunkBytes());
        if (total > MAX_BYTES || work > MAX_WORK) {
            throw store.unsupported(array.label() + " has samples that do not lie in the container as they are ("
                    + array.codecs().describe() + "), and with " + Math.max(total, work)
                    + " bytes is too large to be kept a second time; store it without compression, in chunks of whole"
                    + " samples");
        }
    }
}
