package dev.stoker.order;

import dev.stoker.StokerException;
import dev.stoker.UsageException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A set of non-negative numbers kept as sorted, disjoint, not adjacent ranges {@code [from, to)}. Immutable. */
public final class RangeSet {
    public static final RangeSet EMPTY = new Builder().build();
    /** More ranges are refused: 2^24 of them take 400 MB, and no list that long is what someone wants to keep. */
    public static final int MAX_RANGES = 1 << 24;

    private static final Pattern RANGE = Pattern.compile("(\\d{1,18})(-(\\d{0,18}))?");

    private final long[] from;
    private final long[] to;
    /** How many numbers of the set stand before each range. */
    private final long[] before;

    private RangeSet(long[] from, long[] to) {
        this.from = from;
        this.to = to;
        this.before = new long[from.length];
        for (int i = 1; i < from.length; i++) {
            before[i] = before[i - 1] + (to[i - 1] - from[i - 1]);
        }
    }

    /** The numbers given, which must ascend. */
    public static RangeSet of(long... ascending) {
        Builder builder = new Builder();
        for (long number : ascending) {
            builder.add(number, number + 1);
        }
        return builder.build();
    }

    /** The numbers from {@code from} to before {@code to}. */
    public static RangeSet between(long from, long to) {
        return new Builder().add(from, to).build();
    }

    /**
     * Numbers as people write them, ascending: {@code 3,5-8,100-}. Both ends count; without an end it is the last.
     *
     * @param count the numbers there are: {@code 0} to {@code count - 1}
     */
    public static RangeSet parse(String text, long count) {
        Builder builder = new Builder();
        for (String part : text.split(",", -1)) {
            Matcher range = RANGE.matcher(part.strip());
            if (!range.matches()) {
                throw new UsageException("'" + part + "' should be a number, or a range such as 5-8 or 100-");
            }
            long from = Long.parseLong(range.group(1));
            long last = range.group(2) == null
                    ? from
                    : range.group(3).isEmpty() ? count - 1 : Long.parseLong(range.group(3));
            long least = builder.count == 0 ? 0 : builder.to[builder.count - 1];
            if (from < least || last < from || last >= count) {
                throw new UsageException("the range " + part.strip() + " should lie between " + least + " and "
                        + (count - 1) + ": ranges ascend and do not overlap");
            }
            builder.add(from, last + 1);
        }
        return builder.build();
    }

    /** How many ranges there are. */
    public int rangeCount() {
        return from.length;
    }

    public long from(int range) {
        return from[range];
    }

    public long to(int range) {
        return to[range];
    }

    public boolean isEmpty() {
        return from.length == 0;
    }

    /** How many numbers there are. */
    public long count() {
        return isEmpty() ? 0 : before[before.length - 1] + to[to.length - 1] - from[from.length - 1];
    }

    public boolean contains(long number) {
        int range = rangeAtOrBefore(number);
        return range >= 0 && number < to[range];
    }

    /** How many numbers of the set are less than {@code number}. */
    public long countBefore(long number) {
        int range = rangeAtOrBefore(number);
        return range < 0 ? 0 : before[range] + Math.min(number, to[range]) - from[range];
    }

    /** The {@code index}-th number of the set. */
    public long nth(long index) {
        if (index < 0 || index >= count()) {
            throw new IndexOutOfBoundsException("number " + index + " of " + count());
        }
        int found = Arrays.binarySearch(before, index);
        int range = found >= 0 ? found : -found - 2;
        return from[range] + (index - before[range]);
    }

    /** The {@code index}-th number that is at least {@code start} and not in the set. */
    public long nthOutside(long start, long index) {
        long outside = start - countBefore(start) + index;
        int low = 0;
        int high = from.length;
        // The ranges with at most `outside` other numbers before them all stand before the answer.
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (from[middle] - before[middle] <= outside) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? outside : outside + before[low - 1] + (to[low - 1] - from[low - 1]);
    }

    /** The numbers that are in this set or in the other. */
    public RangeSet union(RangeSet other) {
        Builder builder = new Builder();
        long end = 0;
        for (int i = 0, j = 0; i < from.length || j < other.from.length; ) {
            boolean isThis = j == other.from.length || (i < from.length && from[i] <= other.from[j]);
            long start = Math.max(end, isThis ? from[i] : other.from[j]);
            end = Math.max(end, isThis ? to[i++] : other.to[j++]);
            if (start < end) {
                builder.add(start, end);
            }
        }
        return builder.build();
    }

    /** The numbers that are at least {@code start}, each less {@code start - newStart}. */
    public RangeSet tail(long start, long newStart) {
        Builder builder = new Builder();
        for (int i = Math.max(0, rangeAtOrBefore(start)); i < from.length; i++) {
            long first = Math.max(from[i], start);
            if (first < to[i]) {
                builder.add(first - start + newStart, to[i] - start + newStart);
            }
        }
        return builder.build();
    }

    private int rangeAtOrBefore(long number) {
        int found = Arrays.binarySearch(from, number);
        return found >= 0 ? found : -found - 2;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RangeSet that && Arrays.equals(from, that.from) && Arrays.equals(to, that.to);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(from) + Arrays.hashCode(to);
    }

    /** For a person: {@code 3, 5-8}, numbers included at both ends; shortened after some ranges. */
    @Override
    public String toString() {
        int shown = Math.min(from.length, 20);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < shown; i++) {
            text.append(i == 0 ? "" : ", ").append(from[i]);
            if (to[i] - from[i] > 1) {
                text.append('-').append(to[i] - 1);
            }
        }
        return text.append(shown < from.length ? ", … (" + count() + " in total)" : "")
                .toString();
    }

    /** Takes ranges in ascending order and joins those that touch. */
    public static final class Builder {
        private long[] from = new long[4];
        private long[] to = new long[4];
        private int count;

        public Builder add(long start, long end) {
            long least = count == 0 ? 0 : to[count - 1];
            if (start < least || end <= start) {
                throw new IllegalArgumentException(
                        "range [" + start + ", " + end + ") should begin at " + least + " or later and not be empty");
            }
            if (count > 0 && start == least) {
                to[count - 1] = end;
                return this;
            }
            if (count == MAX_RANGES) {
                throw new StokerException("a set of numbers should have at most " + MAX_RANGES
                        + " separate ranges but has more, up to " + start);
            }
            if (count == from.length) {
                from = Arrays.copyOf(from, count * 2);
                to = Arrays.copyOf(to, count * 2);
            }
            from[count] = start;
            to[count++] = end;
            return this;
        }

        public int rangeCount() {
            return count;
        }

        public RangeSet build() {
            return new RangeSet(Arrays.copyOf(from, count), Arrays.copyOf(to, count));
        }
    }
}
