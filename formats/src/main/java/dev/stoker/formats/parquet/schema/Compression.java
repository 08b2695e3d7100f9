package dev.stoker.formats.parquet.schema;

import dev.stoker.block.CodecPipeline;
import java.util.List;

/** How pages are compressed, by the numbers of the specification. */
public final class Compression {
    private static final List<String> NAMES =
            List.of("none", "snappy", "gzip", "lzo", "brotli", "lz4 (of Hadoop)", "zstd", "lz4_raw");

    private Compression() {}

    public static CodecPipeline of(int number, PageLocation place) {
        return switch (number) {
            case 0 -> CodecPipeline.NONE;
            case 1 -> CodecPipeline.of("snappy");
            case 2 -> CodecPipeline.of("gzip");
            case 6 -> CodecPipeline.of("zstd");
            case 7 -> CodecPipeline.of("lz4");
            default ->
                throw place.unsupported("is compressed with "
                        + (number < NAMES.size() ? NAMES.get(number) : "codec " + number)
                        + ", which Stoker does not read; write the file again with zstd, snappy, gzip or lz4_raw");
        };
    }

    /** The number of what Stoker writes. */
    public static int number(String codec) {
        return switch (codec) {
            case "snappy" -> 1;
            case "zstd" -> 6;
            case "lz4" -> 7;
            default -> throw new IllegalArgumentException(codec);
        };
    }
}
