package dev.stoker.formats.squashfs;

import dev.stoker.format.SmallValues;
import dev.stoker.sample.Samples;
import java.util.Arrays;

/**
 * The samples sorted by their keys, name by name, so that a folder's files and folders are together and sorted. Of keys
 * that come in that order, as those of a folder do, each is compared once; none is kept, since all of them may be many.
 */
final class KeyOrder {
    private final SmallValues keys;
    private final int[] order;
    private final int[] spare;

    private KeyOrder(Samples samples, int keyField) {
        this.keys = new SmallValues(samples, keyField);
        this.order = new int[Math.toIntExact(samples.count())];
        this.spare = new int[order.length / 2];
        Arrays.setAll(order, i -> i);
    }

    static int[] of(Samples samples, int keyField) {
        var sorting = new KeyOrder(samples, keyField);
        sorting.sort(0, sorting.order.length);
        return sorting.order;
    }

    /** A merge sort, which leaves alone what is in order. */
    private void sort(int from, int to) {
        if (to - from < 2) {
            return;
        }
        int middle = (from + to) >>> 1;
        sort(from, middle);
        sort(middle, to);
        if (compare(keys.read(order[middle - 1]), keys.read(order[middle])) > 0) {
            merge(from, middle, to);
        }
    }

    private void merge(int from, int middle, int to) {
        int lefts = middle - from;
        System.arraycopy(order, from, spare, 0, lefts);
        int left = 0;
        int right = middle;
        byte[] leftKey = keys.read(spare[left]);
        byte[] rightKey = keys.read(order[right]);
        for (int at = from; left < lefts; at++) {
            if (right == to) {
                System.arraycopy(spare, left, order, at, lefts - left);
                return;
            }
            if (compare(leftKey, rightKey) <= 0) {
                order[at] = spare[left++];
                leftKey = left < lefts ? keys.read(spare[left]) : leftKey;
            } else {
                order[at] = order[right++];
                rightKey = right < to ? keys.read(order[right]) : rightKey;
            }
        }
    }

    private static int compare(byte[] a, byte[] b) {
        int at = Arrays.mismatch(a, b);
        if (at < 0 || at >= Math.min(a.length, b.length)) {
            return Integer.compare(a.length, b.length);
        }
        return Integer.compare(a[at] == '/' ? 0 : a[at] & 0xff, b[at] == '/' ? 0 : b[at] & 0xff);
    }
}
