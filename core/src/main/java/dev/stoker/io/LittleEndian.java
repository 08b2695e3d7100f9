package dev.stoker.io;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Little-endian numbers at any place, as our files hold them. */
public final class LittleEndian {
    public static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    /** The next multiple of a power of two. */
    public static long align(long n, long to) {
        return Math.addExact(n, to - 1) & -to;
    }
}
