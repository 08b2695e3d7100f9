package dev.stoker.feed;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The batches in flight, from the one that the consumer holds to the last one that was cut. Batch number n uses slot n
 * modulo the number of slots; memory is given in the order of the batches, so that a later one never keeps an earlier
 * one waiting. A consumer that does not come keeps everything as it is: nothing grows.
 *
 * <p>One lock guards the state of all slots. It is taken a few times for each batch, never for each sample.
 */
final class BatchRing implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition ready = lock.newCondition();
    /** Where threads wait that are too many for the way of reading that is in use. */
    private final Condition reserve = lock.newCondition();

    private final BatchSlot[] slots;
    private final BatchPlanner cuts;
    private final FeedContext job;
    private final BatchMemory memory;
    private final List<Thread> threads = new ArrayList<>();

    /** The number of the batch that the consumer holds, or takes next if it holds none. */
    private long first;

    private boolean isHeld;
    private long admitted;
    private long cut;
    private boolean hasEnded;
    private boolean isClosed;
    private int activeThreads = Integer.MAX_VALUE;

    private final IdleTime idle = new IdleTime();
    private long memoryFull;
    private @Nullable Throwable failure;

    BatchRing(FeedContext job, BatchPlanner cuts, int slotCount, long memoryLimit) {
        this.job = job;
        this.cuts = cuts;
        this.slots = new BatchSlot[slotCount];
        for (int i = 0; i < slotCount; i++) {
            slots[i] = new BatchSlot(job);
        }
        this.memory = new BatchMemory(slots, memoryLimit);
    }

    void start(int threadCount, FeedCounters counters) {
        for (int i = 0; i < threadCount; i++) {
            var reader = new ReaderThread(i, this, job, counters);
            threads.add(Thread.ofPlatform().name("stoker-feed-" + i).daemon().start(reader));
        }
    }

    private BatchSlot slot(long number) {
        return slots[(int) (number % slots.length)];
    }

    // ---- for the threads that read

    /**
     * Something to do with a batch.
     *
     * @param state as it was when the task was given: PLANNING and ADMITTED are one thread's alone, READING is shared
     */
    record Task(BatchSlot slot, BatchSlot.State state) {}

    /** Waits for something to do: a batch to read, to give memory to, or to plan. Null when the feed is closed. */
    @Nullable
    Task take(int thread) {
        lock.lock();
        try {
            while (!isClosed && failure == null) {
                if (thread < activeThreads) {
                    BatchSlot slot = find();
                    if (slot != null) {
                        return new Task(slot, slot.state);
                    }
                    var event = new IdleEvent();
                    event.begin();
                    long before = idle.begin();
                    work.awaitUninterruptibly();
                    idle.end(before);
                    event.commit();
                } else {
                    work.signal(); // what woke this thread was meant for one that works
                    reserve.awaitUninterruptibly();
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable BatchSlot find() {
        for (long n = first; n < admitted; n++) {
            BatchSlot slot = slot(n);
            if (slot.state == BatchSlot.State.READING && slot.hasPieces()) {
                return slot;
            }
        }
        if (admitted < cut && slot(admitted).state == BatchSlot.State.PLANNED) {
            if (memory.give(slot(admitted), first == admitted)) {
                BatchSlot slot = slot(admitted++);
                slot.state = BatchSlot.State.ADMITTED;
                return slot;
            }
            memoryFull++;
        }
        for (long n = admitted; n < cut; n++) {
            if (slot(n).state == BatchSlot.State.CUT) {
                slot(n).state = BatchSlot.State.PLANNING;
                return slot(n);
            }
        }
        if (cutNext()) {
            BatchSlot slot = slot(cut - 1);
            slot.state = BatchSlot.State.PLANNING;
            return slot;
        }
        return null;
    }

    /** Cuts another batch if there is one, and a slot for it. */
    private boolean cutNext() {
        if (hasEnded || cut - first >= slots.length) {
            return false;
        }
        BatchRange next = cuts.next();
        if (next == null) {
            hasEnded = true;
            ready.signalAll();
            return false;
        }
        BatchSlot slot = slot(cut++);
        slot.cut = next;
        slot.state = BatchSlot.State.CUT;
        int wanted = job.threads(next.mode());
        if (wanted != activeThreads) {
            activeThreads = wanted;
            reserve.signalAll();
        }
        return true;
    }

    void planned(BatchSlot slot) {
        lock.lock();
        try {
            slot.state = BatchSlot.State.PLANNED;
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Lets all threads read a batch that has its memory; false if there is nothing to read. */
    boolean publish(BatchSlot slot) {
        lock.lock();
        try {
            slot.state = BatchSlot.State.READING;
            if (slot.publish()) {
                work.signalAll();
                return true;
            }
        } finally {
            lock.unlock();
        }
        finish(slot);
        return false;
    }

    /** A batch whose last piece is read goes to the consumer, or, if samples were bad, is planned again. */
    void finish(BatchSlot slot) {
        while (!slot.finish()) {
            slot.plan();
            lock.lock();
            try {
                memory.giveAtOnce(slot);
                if (slot.publish()) {
                    work.signalAll();
                    return;
                }
            } finally {
                lock.unlock();
            }
        }
        lock.lock();
        try {
            slot.state = BatchSlot.State.READY;
            ready.signal();
        } finally {
            lock.unlock();
        }
    }

    void fail(Throwable e) {
        lock.lock();
        try {
            if (failure == null) {
                failure = e;
            }
            ready.signalAll();
            work.signalAll();
            reserve.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- for the consumer

    /** Whether a batch follows the one that is held; known without reading it. A feed that failed has no end. */
    boolean hasNext() {
        lock.lock();
        try {
            long next = isHeld ? first + 1 : first;
            if (next == cut && cutNext()) {
                work.signal();
            }
            if (next == cut && failure != null) {
                requireSound();
            }
            return next < cut;
        } finally {
            lock.unlock();
        }
    }

    /** What the batch that follows the one that is held is cut from; null at the end. Known without reading it. */
    @Nullable
    BatchRange peek() {
        lock.lock();
        try {
            return hasNext() ? slot(isHeld ? first + 1 : first).cut : null;
        } finally {
            lock.unlock();
        }
    }

    /** Gives back the batch that is held, and waits for the next one; null at the end. */
    @Nullable
    BatchSlot next() {
        lock.lock();
        try {
            release();
            while (true) {
                requireSound();
                if (first == cut && !cutNext()) {
                    return null;
                }
                BatchSlot slot = slot(first);
                if (slot.state == BatchSlot.State.READY) {
                    slot.state = BatchSlot.State.HELD;
                    isHeld = true;
                    return slot;
                }
                work.signal();
                ready.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Lets the consumer keep the memory of the batch that it holds, until it gives it back; null if it has none. */
    BatchMemorySource.@Nullable Piece keep() {
        lock.lock();
        try {
            return isHeld ? memory.lend(slot(first)) : null;
        } finally {
            lock.unlock();
        }
    }

    void giveBack(BatchMemorySource.Piece piece) {
        lock.lock();
        try {
            memory.giveBack(piece);
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    private void release() {
        if (isHeld) {
            slot(first).state = BatchSlot.State.FREE;
            first++;
            isHeld = false;
            work.signal();
        }
    }

    private void requireSound() {
        if (isClosed) {
            throw new IllegalStateException("the feed is closed");
        }
        if (failure instanceof RuntimeException runtime) {
            throw runtime;
        }
        if (failure instanceof Error error) {
            throw error;
        }
    }

    // ---- for those who measure

    /** How long threads had nothing to do, all together, until now. */
    long idleNanos() {
        lock.lock();
        try {
            return idle.nanos();
        } finally {
            lock.unlock();
        }
    }

    /** How often a planned batch could not have its memory. */
    long memoryFull() {
        lock.lock();
        try {
            return memoryFull;
        } finally {
            lock.unlock();
        }
    }

    /** How many threads the way of reading that is in use has. */
    int activeThreads() {
        lock.lock();
        try {
            return Math.min(activeThreads, threads.size());
        } finally {
            lock.unlock();
        }
    }

    /** How many batches are ready. */
    int ready() {
        lock.lock();
        try {
            int ready = 0;
            for (BatchSlot slot : slots) {
                ready += slot.state == BatchSlot.State.READY ? 1 : 0;
            }
            return ready;
        } finally {
            lock.unlock();
        }
    }

    /** Bytes of memory that the batches have now. */
    long allocated() {
        lock.lock();
        try {
            return memory.allocated();
        } finally {
            lock.unlock();
        }
    }

    BatchSlot[] slots() {
        return slots;
    }

    /** Waits for the threads to end, then gives back all memory. */
    @Override
    public void close() {
        stop();
        memory.close();
    }

    void stop() {
        lock.lock();
        try {
            isClosed = true;
            work.signalAll();
            reserve.signalAll();
            ready.signalAll();
        } finally {
            lock.unlock();
        }
        threads.forEach(ReaderThread::join);
    }
}
