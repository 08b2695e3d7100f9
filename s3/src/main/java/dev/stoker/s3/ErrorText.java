package dev.stoker.s3;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Map;

/**
 * The error that an answer holds.
 *
 * @param code as {@code NoSuchBucket}; empty if the storage did not say
 * @param region the one that the bucket is in, if that is the matter
 */
record ErrorText(int status, String code, String region) {
    /** Reads the body of an answer, which need not be what S3 says it is. */
    static ErrorText of(int status, byte[] body, String region) {
        try {
            Map<String, String> values = Xml.texts(new ByteArrayInputStream(body));
            String code = values.getOrDefault("Code", "").replaceAll("[^A-Za-z0-9.]", "");
            return new ErrorText(status, code, region.isEmpty() ? values.getOrDefault("Region", "") : region);
        } catch (IOException e) {
            return new ErrorText(status, "", region);
        }
    }

    /** Whether the same request may be answered well a little later. */
    boolean isPassing() {
        return status >= 500 && status != 501 && status != 505
                || status == 429
                || status == 408
                || code.equals("RequestTimeout")
                || code.equals("SlowDown");
    }

    @Override
    public String toString() {
        return status + (code.isEmpty() ? "" : " " + code);
    }
}
