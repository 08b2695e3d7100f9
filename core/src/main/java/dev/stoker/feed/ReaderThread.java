package dev.stoker.feed;

import dev.stoker.dataset.OpenDatasetFile;
import dev.stoker.order.Position;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One thread that plans and reads batches: what it has for itself are its decoders and the bytes they read from. */
final class ReaderThread implements Runnable {
    private static final long SCRATCH_ALIGNMENT = OpenDatasetFile.DIRECT_ALIGNMENT;

    private final int number;
    private final BatchRing ring;
    private final FeedContext job;
    private final FeedCounters counters;
    private final @Nullable Decoder[] decoders;
    private boolean isTimed;
    private long decodeNanos;
    private @Nullable Arena arena;
    private MemorySegment scratch = MemorySegment.NULL;

    ReaderThread(int number, BatchRing ring, FeedContext job, FeedCounters counters) {
        this.number = number;
        this.ring = ring;
        this.job = job;
        this.counters = counters;
        this.decoders = new Decoder[job.fields().length];
    }

    @Override
    public void run() {
        try {
            for (BatchRing.Task task = ring.take(number); task != null; task = ring.take(number)) {
                run(task.slot(), task.state());
            }
        } catch (Throwable e) {
            ring.fail(e);
        } finally {
            close();
        }
    }

    private void run(BatchSlot slot, BatchSlot.State state) {
        if (state == BatchSlot.State.PLANNING) {
            plan(slot);
            ring.planned(slot);
        } else if ((state == BatchSlot.State.READING || ring.publish(slot)) && slot.work(this)) {
            long before = System.nanoTime();
            counters.bytes.add(slot.rows().bytes());
            ring.finish(slot);
            counters.batchNanos.add(System.nanoTime() - before);
        }
    }

    private void plan(BatchSlot slot) {
        var event = new BatchEvent();
        event.begin();
        long before = System.nanoTime();
        slot.plan();
        counters.batchNanos.add(System.nanoTime() - before);
        event.end();
        if (event.shouldCommit()) {
            event.samples = slot.rows().count();
            event.epoch = slot.cut.epoch();
            event.commit();
        }
    }

    // ---- the time of a piece

    /** Of the next value the decoding is timed: of each piece one sample, which stands for the others. */
    void timeDecoding(boolean isWanted) {
        isTimed = isWanted;
    }

    /** Decodes with the decoder that this thread has for a field. */
    void decode(int f, MemorySegment encoded, MemorySegment batch, long at, Position start, long sample) {
        long before = isTimed ? System.nanoTime() : 0;
        decoder(f).decode(encoded, batch, at, start.identity().seed(), start.epoch(), sample);
        if (isTimed) {
            decodeNanos += System.nanoTime() - before;
        }
    }

    /** A piece of so many samples is read; returns how long of that it decoded. */
    long pieceDone(long nanos, int samples) {
        long decoded = Math.min(nanos, decodeNanos * samples);
        decodeNanos = 0;
        counters.readNanos.add(nanos - decoded);
        if (decoded > 0) {
            counters.decodeNanos.add(decoded);
        }
        return decoded;
    }

    private Decoder decoder(int f) {
        Decoder decoder = decoders[f];
        if (decoder == null) {
            Supplier<? extends Decoder> maker = job.fields()[f].decoders();
            if (maker == null) {
                throw new IllegalStateException("field " + f + " is not decoded");
            }
            decoder = maker.get();
            decoders[f] = decoder;
        }
        return decoder;
    }

    /** Memory of this thread for so many bytes; valid until the next call. */
    MemorySegment scratch(long bytes) {
        if (scratch.byteSize() < bytes) {
            if (arena != null) {
                arena.close();
            }
            arena = Arena.ofConfined();
            scratch = arena.allocate(bytes + bytes / 4, SCRATCH_ALIGNMENT);
        }
        return scratch.asSlice(0, bytes);
    }

    private void close() {
        for (Decoder decoder : decoders) {
            if (decoder != null) {
                decoder.close();
            }
        }
        if (arena != null) {
            arena.close();
        }
    }

    /** Waits until a thread has ended, also when the one that waits is interrupted: until then it uses the memory. */
    static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
