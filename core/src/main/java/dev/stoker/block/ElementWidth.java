package dev.stoker.block;

import java.io.IOException;

/** The first number of a step that goes over numbers: how many bytes each of them has. */
final class ElementWidth {
    private ElementWidth() {}

    /** Of so many bytes, where a damaged file may say anything: one more than there are is as good as any larger width. */
    static int of(long[] numbers, int bytes) throws IOException {
        if (numbers[0] < 1) {
            throw new IOException("a number cannot have " + numbers[0] + " bytes");
        }
        return (int) Math.min(numbers[0], bytes + 1L);
    }
}
