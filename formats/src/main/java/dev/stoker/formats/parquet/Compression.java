package dev.stoker.formats.parquet;

import dev.stoker.block.Pipeline;
import java.util.List;

/** How pages are compressed, by the numbers of the specification. */
final class Compression {
    private static final List<String> NAMES =
            List.of("none", "snappy", "gzip", "lzo", "brotli", "lz4 (of Hadoop)", "zstd", "lz4_raw");

    private Compression() {}

    static Pipeline of(int number, Place place) {
        return switch (number) {
            case 0 -> Pipeline.NONE;
            case 1 -> Pipeline.of("snappy");
            case 2 -> Pipeline.of("gzip");
            case 6 -> Pipeline.of("zstd");
            case 7 -> Pipeline.of("lz4");
            default ->
                throw place.unsupported("is compressed with "
                        + (number < NAMES.size() ? NAMES.get(number) : "codec " + number)
                        + ", which Stoker does not read; write the file anew with zstd, snappy, gzip or lz4_raw");
        };
    }

    /** The number of what Stoker writes. */
    static int number(String codec) {
        return switch (codec) {
            case "snappy" -> 1;
            case "zstd" -> 6;
            case "lz4" -> 7;
            default -> throw new IllegalArgumentException(codec);
        };
    }
}
