package dev.stoker.bench.peer;

import java.util.Locale;

/** What all contestants do. */
public enum Job {
    /** The bytes of shuffled samples, in batches, into memory. */
    RAW,
    /** Shuffled JPEG files, decoded, RandomResizedCrop(224), flipped, in batches of uint8. */
    PHOTOS;

    private static final long PHOTO_BYTES = 3 * 224 * 224;

    /** As the protocol and the user call it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The bytes that an epoch delivers. */
    long bytesOf(long samples, long fileBytes) {
        return this == PHOTOS ? samples * PHOTO_BYTES : fileBytes;
    }
}
