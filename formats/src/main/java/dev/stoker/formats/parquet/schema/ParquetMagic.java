package dev.stoker.formats.parquet.schema;

import java.nio.charset.StandardCharsets;

/** What a Parquet file begins and ends with. */
public final class ParquetMagic {
    public static final int BYTES = 4;

    private ParquetMagic() {}

    public static byte[] bytes() {
        return "PAR1".getBytes(StandardCharsets.US_ASCII);
    }
}
