package dev.stoker.collect;

import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds all whole batches of a file, and what is missing. */
final class BatchScanner {
    private final CollectHeader head;
    private final MemorySegment file;
    private final int checksum;
    private final List<CollectedBatch> batches = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();

    BatchScanner(CollectHeader head, MemorySegment file) {
        this.head = head;
        this.file = file;
        this.checksum = head.checksum();
        for (long chunk = 0; start(chunk) < file.byteSize(); chunk++) {
            scanChunk(chunk);
        }
        batches.sort(Comparator.comparingInt(CollectedBatch::rank).thenComparingLong(CollectedBatch::before));
        findMissing();
    }

    private long start(long chunk) {
        return head.start() + chunk * head.chunk();
    }

    private void scanChunk(long chunk) {
        int rank = (int) (chunk % head.world());
        long limit = Math.min(file.byteSize(), start(chunk + 1));
        long at = start(chunk);
        for (CollectedBatch batch = CollectedBatch.at(file, at, limit, checksum);
                batch != null && batch.rank() == rank;
                batch = CollectedBatch.at(file, at, limit, checksum)) {
            batches.add(batch);
            at = LittleEndian.align(batch.end(), BatchWriter.ALIGNMENT);
        }
        if (at < limit && CollectedBatch.isBegun(file, at)) {
            missing.add("rank " + rank + ": what it was writing at byte " + at + " when it was interrupted");
        }
    }

    private void findMissing() {
        var next = new long[head.world()];
        var done = new boolean[head.world()];
        for (CollectedBatch batch : batches) {
            int rank = batch.rank();
            if (batch.before() != next[rank]) {
                missing.add("rank " + rank + ": its samples " + next[rank] + " to " + (batch.before() - 1));
            }
            next[rank] = batch.before() + batch.samples();
            done[rank] |= batch.last();
        }
        for (int rank = 0; rank < done.length; rank++) {
            if (!done[rank]) {
                missing.add(
                        "rank " + rank + ": anything after its first " + next[rank] + " samples; it was not closed");
            }
        }
    }

    /** All batches, also those that only say that a rank began or is done. */
    List<CollectedBatch> all() {
        return List.copyOf(batches);
    }

    /** What all batches take. */
    long bytes() {
        return batches.stream().mapToLong(batch -> batch.end() - batch.start()).sum();
    }

    /** The batches that have samples, by rank and sequence. */
    List<CollectedBatch> batches() {
        return batches.stream().filter(batch -> batch.samples() > 0).toList();
    }

    /** What is not there, a line each; empty if every rank was closed. */
    List<String> missing() {
        return List.copyOf(missing);
    }

    /** Where the last batch ends. */
    long end() {
        return LittleEndian.align(
                batches.stream().mapToLong(CollectedBatch::end).max().orElse(head.start()), BatchWriter.ALIGNMENT);
    }
}
