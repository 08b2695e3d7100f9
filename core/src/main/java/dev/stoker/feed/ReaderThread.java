package dev.stoker.feed;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One thread that plans and reads batches: what it has for itself are its decoders and the bytes they read from. */
final class ReaderThread implements Runnable {
    static final long SCRATCH_ALIGNMENT = 4096;

    private final int number;
    private final Ring ring;
    private final Job job;
    private final @Nullable Decoder[] decoders;
    private @Nullable Arena arena;
    private MemorySegment scratch = MemorySegment.NULL;

    ReaderThread(int number, Ring ring, Job job) {
        this.number = number;
        this.ring = ring;
        this.job = job;
        this.decoders = new Decoder[job.fields().length];
    }

    @Override
    public void run() {
        try {
            for (Ring.Task task = ring.take(number); task != null; task = ring.take(number)) {
                run(task.slot(), task.state());
            }
        } catch (Throwable e) {
            ring.fail(e);
        } finally {
            close();
        }
    }

    private void run(Slot slot, Slot.State state) {
        if (state == Slot.State.PLANNING) {
            slot.plan();
            ring.planned(slot);
        } else if ((state == Slot.State.READING || ring.publish(slot)) && slot.work(this)) {
            ring.finish(slot);
        }
    }

    /** The decoder that this thread has for a field. */
    Decoder decoder(int f) {
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
