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

    /** Whether so few bytes can make so many: what a page says is not believed beyond what its codec can do. */
    static boolean canMake(int number, long stored, long decoded) {
        long most = switch (number) {
            case 1 -> 64;
            case 2 -> 1_100;
            case 7 -> 256;
            default -> 1 << 17;
        };
        return decoded <= Math.multiplyExact(stored, most) + 64;
    }
}
