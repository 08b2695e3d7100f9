package dev.stoker.serve;

import dev.stoker.StokerException;
import dev.stoker.order.RangeSet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;

/** The samples that a client chooses, as a request has them: pairs of how many are skipped, and how many are taken. */
final class SampleRanges {
    private static final int PAIR_BYTES = 8;

    private SampleRanges() {}

    /** @param count how many samples the dataset has */
    static RangeSet parse(String base64, long count) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new StokerException("the subset should be Base64: " + e.getMessage(), e);
        }
        if (bytes.length % PAIR_BYTES != 0) {
            throw new StokerException("the subset should be pairs of " + PAIR_BYTES + " bytes but has " + bytes.length);
        }
        ByteBuffer pairs = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        var builder = new RangeSet.Builder();
        long end = 0;
        while (pairs.hasRemaining()) {
            long start = end + Integer.toUnsignedLong(pairs.getInt());
            end = start + Integer.toUnsignedLong(pairs.getInt());
            if (end > count) {
                throw new StokerException(
                        "the subset has sample " + (end - 1) + ", but the dataset has " + count + ", counted from 0");
            }
            if (end > start) {
                builder.add(start, end);
            }
        }
        RangeSet samples = builder.build();
        if (samples.isEmpty()) {
            throw new StokerException("the subset has no sample");
        }
        return samples;
    }
}
