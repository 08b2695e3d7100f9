package dev.stoker.fuzz;

import com.sun.management.ThreadMXBean;
import dev.stoker.StokerException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Feeds a target with changed inputs, each within limits of memory and time; an input follows from its number and the seed. */
public final class Fuzzer {
    static final long MAX_CPU_NANOS = 2_000_000_000L;
    private static final int MAX_FINDINGS = 20;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Target target;
    private final Watchdog watchdog;
    private final List<Finding> findings = new ArrayList<>();
    private final Set<String> known = new HashSet<>();
    private long read;
    private long refused;
    private long slowestNanos;
    private long mostAllocated;

    /** An input that did what none may do. */
    public record Finding(String target, byte[] input, Throwable failure) {}

    /**
     * What became of the inputs.
     *
     * @param read how many were taken for valid
     */
    public record Result(
            String target,
            long inputs,
            long read,
            long refused,
            long slowestMicros,
            long mostAllocated,
            List<Finding> findings) {}

    public Fuzzer(Target target, Watchdog watchdog) {
        this.target = target;
        this.watchdog = watchdog;
    }

    /** Tries so many inputs, or fewer if there are many findings. */
    public Result run(List<byte[]> seeds, long inputs, long seed) {
        var source = new Inputs(target, seeds, seed);
        long done = 0;
        while (done < inputs && findings.size() < MAX_FINDINGS) {
            tryOne(source.get(done++));
        }
        return new Result(
                target.name(), done, read, refused, slowestNanos / 1000, mostAllocated, List.copyOf(findings));
    }

    /** Tries one input; what it found, or null. */
    public @Nullable Finding tryOne(byte[] input) {
        watchdog.begin(target, input);
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        long cpu = THREADS.getCurrentThreadCpuTime();
        Throwable failure = outcome(input);
        long nanos = THREADS.getCurrentThreadCpuTime() - cpu;
        if (failure == null && nanos > MAX_CPU_NANOS) {
            // Once more: on a busy virtual machine, inputs of milliseconds were seen to take seconds once, and never
            // again. What is slow only after certain others is not found this way.
            allocated = THREADS.getCurrentThreadAllocatedBytes();
            cpu = THREADS.getCurrentThreadCpuTime();
            failure = outcome(input);
            nanos = THREADS.getCurrentThreadCpuTime() - cpu;
        }
        long bytes = THREADS.getCurrentThreadAllocatedBytes() - allocated;
        StackTraceElement[] slowAt = watchdog.end();
        slowestNanos = Math.max(slowestNanos, nanos);
        mostAllocated = Math.max(mostAllocated, bytes);
        if (failure == null && nanos > MAX_CPU_NANOS) {
            failure = new AssertionError("took " + nanos / 1_000_000 + " ms");
            if (slowAt != null) {
                failure.setStackTrace(slowAt);
            }
        }
        if (failure == null && bytes > target.mostAllocated()) {
            failure = new AssertionError("allocated " + bytes + " bytes for " + input.length);
        }
        if (failure == null || !known.add(signature(failure))) {
            return null;
        }
        var finding = new Finding(target.name(), input, failure);
        findings.add(finding);
        return finding;
    }

    private @Nullable Throwable outcome(byte[] input) {
        try {
            target.read(input);
            read++;
            return null;
        } catch (StokerException e) {
            refused++;
            return namesFile(e) ? null : new AssertionError("does not name the file: " + e.getMessage(), e);
        } catch (Throwable e) {
            if (target.isRefusal(e)) {
                refused++;
                return null;
            }
            return e;
        }
    }

    private static boolean namesFile(StokerException e) {
        return String.valueOf(e.getMessage()).contains(Target.FILE);
    }

    static void requireFile(StokerException e) {
        if (!namesFile(e)) {
            throw new AssertionError("does not name the file: " + e.getMessage(), e);
        }
    }

    /** The same for failures of the same kind at the same place, so that each is told once. */
    private static String signature(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        var signature = new StringBuilder(failure.getClass().getName() + root.getClass());
        StackTraceElement[] trace = root.getStackTrace();
        int shown = 0;
        for (int i = 0; i < trace.length && shown < 3; i++) {
            if (trace[i].getClassName().startsWith("dev.stoker.")) {
                signature.append(' ').append(trace[i]);
                shown++;
            }
        }
        return signature.toString();
    }
}
