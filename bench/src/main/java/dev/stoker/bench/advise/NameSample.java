package dev.stoker.bench.advise;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Keeps some of any number of names: those with the smallest hashes. So every name has the same chance, and the same names
 * give the same choice in whatever order they come.
 */
final class NameSample {
    private record Named(long hash, byte[] name) {}

    private final int most;
    /** The largest hash first, since that is the next one to go. */
    private final PriorityQueue<Named> kept =
            new PriorityQueue<>(Comparator.comparingLong(Named::hash).reversed());

    NameSample(int most) {
        this.most = most;
    }

    void offer(byte[] name) {
        long hash = hash(name);
        if (kept.size() == most) {
            if (kept.element().hash <= hash) {
                return;
            }
            kept.remove();
        }
        kept.add(new Named(hash, name));
    }

    /** The names, in an order that has nothing to do with where they came from. */
    List<byte[]> names() {
        var all = new ArrayList<>(kept);
        all.sort(Comparator.comparingLong(Named::hash).thenComparing(Named::name, Arrays::compare));
        return all.stream().map(Named::name).toList();
    }

    /** Of the bytes; well mixed, since names often differ in their last digit alone. */
    static long hash(byte[] bytes) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : bytes) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
        return hash ^ hash >>> 33;
    }
}
