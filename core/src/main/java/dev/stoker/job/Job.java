package dev.stoker.job;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.io.OutputNames;
import dev.stoker.os.FileProbe;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** A team of several processes, as one of them takes part in it. */
@PublicApi
public final class Job implements Team {
    /** How long rank 0 waits with the deletion of the folder for ranks that still look into it. */
    private static final Duration FAREWELL = Duration.ofSeconds(30);

    private final JobRequest request;
    private final JobFolder folder;
    private final HeartbeatMonitor watch;
    private int gifts;
    private final Thread hook = new Thread(() -> leaveEarly("it was ended by a signal"));

    private Job(JobRequest request, JobFolder folder, RankState mine) {
        this.request = request;
        this.folder = folder;
        this.watch = new HeartbeatMonitor(folder, mine, request.timeout());
    }

    /** Joins the job that writes an output; rank 0 begins it. Returns when rank 0 is there. */
    public static Job join(JobRequest request) {
        String nonce = "%016x".formatted(ThreadLocalRandom.current().nextLong());
        var entry = new JobRendezvous(request);
        JobFolder folder = request.rank() == 0 ? entry.make(nonce) : entry.find();
        var mine = new RankState(
                request.rank(),
                request.world(),
                "process " + ProcessHandle.current().pid() + " on " + node(),
                nonce,
                request.launcher(),
                request.work(),
                0,
                Map.of(Step.JOINED.name(), ""),
                null);
        if (request.rank() > 0) {
            refuseStranger(folder, mine);
        }
        var job = new Job(request, folder, mine);
        Runtime.getRuntime().addShutdownHook(job.hook);
        job.watch.start();
        return job;
    }

    /** Refuses an output that a job of several processes writes, or left; takes the rest of such a job away. */
    public static void clear(JobRequest request) {
        try {
            new JobRendezvous(request)
                    .clear("%016x".formatted(ThreadLocalRandom.current().nextLong()));
        } catch (IOException e) {
            throw new StokerException(request.folder(), "cannot be deleted: " + e.getMessage(), e);
        }
    }

    /** Refuses an output that ranks of the Python package save or left; the two kinds do not understand each other. */
    public static void refusePythonSave(Path output) {
        Path folder = OutputNames.save(output.toAbsolutePath().normalize());
        if (FileProbe.hasEntry(folder)) {
            throw new StokerException(
                    folder,
                    "belongs to Python processes that save, or were killed while they" + " saved, " + output
                            + "; wait for them, or delete the folder if none of them is running");
        }
    }

    /** Where a job of several processes meets. */
    public static Path folder(Path output) {
        return OutputNames.job(output.toAbsolutePath().normalize());
    }

    /** A rank that was given something else is refused, and says so to all if it surely belongs to this job. */
    private static void refuseStranger(JobFolder folder, RankState mine) {
        RankState leader = Objects.requireNonNullElse(folder.state(0), mine);
        RankState twin = folder.state(mine.rank());
        String reason = null;
        if (leader.world() != mine.world()) {
            reason = "rank 0 counts " + leader.world() + " ranks but rank " + mine.rank() + " counts " + mine.world();
        } else if (!leader.work().equals(mine.work())) {
            reason = "the ranks were started with different arguments: " + leader.name() + " has " + leader.work()
                    + ", but " + mine.name() + " has " + mine.work();
        } else if (twin != null) {
            throw new StokerException("two processes have rank " + mine.rank() + ": " + twin.who() + ", and "
                    + mine.who() + "; give each process its own rank");
        }
        if (reason == null) {
            return;
        }
        if (!mine.launcher().isEmpty() && mine.rank() < leader.world()) {
            try {
                folder.put(mine.withFailure(reason));
            } catch (IOException e) {
                // Rank 0 will find this rank missing.
            }
        }
        throw new StokerException(
                reason + "; start all ranks with the same arguments; use a different output for a different job");
    }

    private static String node() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            return "an unknown node";
        }
    }

    @Override
    public int rank() {
        return request.rank();
    }

    @Override
    public int world() {
        return request.world();
    }

    @Override
    public void exchange(String what, String about, MemorySegment mine, Gift gift) {
        byte[] head = about.getBytes(StandardCharsets.UTF_8);
        byte[] length = {(byte) head.length};
        String name = "gift-" + gifts++;
        folder.give(name, watch.mine(), MemorySegment.ofArray(length), MemorySegment.ofArray(head), mine);
        for (int rank = 0; rank < world(); rank++) {
            if (rank != rank()) {
                awaitGift(name, what, about, rank, gift);
            }
        }
    }

    private void awaitGift(String name, String what, String about, int rank, Gift gift) {
        Gift checked = (from, bytes) -> {
            int length = Byte.toUnsignedInt(bytes.get(ValueLayout.JAVA_BYTE, 0));
            String theirs = new String(bytes.asSlice(1, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
            if (!theirs.equals(about)) {
                throw new StokerException("rank " + rank() + " found different " + what + " from rank " + from + ": "
                        + about + ", not " + theirs + "; the source is changing, or differs between the nodes");
            }
            gift.from(from, bytes.asSlice(1 + length));
        };
        for (var pause = new Backoff(); !folder.take(name, rank, checked); pause.sleep()) {
            requireGoing();
        }
    }

    @Override
    public void tell(Step step, String text) {
        watch.update(mine -> mine.with(step, text));
    }

    @Override
    public String awaitLeader(Step step) {
        return awaitFrom(0, step);
    }

    @Override
    public List<String> awaitAll(Step step) {
        var texts = new ArrayList<String>();
        for (int rank = 1; rank < world(); rank++) {
            texts.add(awaitFrom(rank, step));
        }
        return texts;
    }

    private String awaitFrom(int rank, Step step) {
        return watch.await(() -> {
            RankState state = watch.state(rank);
            return state == null ? null : state.told(step);
        });
    }

    @Override
    public void requireGoing() {
        watch.requireGoing();
    }

    @Override
    public <T> T run(Supplier<T> work) {
        T result;
        try {
            result = work.get();
        } catch (RuntimeException | Error e) {
            leaveEarly(e instanceof StokerException ? String.valueOf(e.getMessage()) : e.toString());
            forgetHook();
            throw e;
        }
        leave();
        forgetHook();
        return result;
    }

    private void leaveEarly(String reason) {
        watch.stop();
        watch.lastWord(reason);
    }

    private void forgetHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is being ended already.
        }
    }

    private void leave() {
        tell(Step.LEFT, "");
        if (leads()) {
            for (var pause = new Backoff(); !watch.haveAllLeft() && !pause.isLonger(FAREWELL); ) {
                pause.sleep();
            }
        }
        watch.stop();
        if (leads()) {
            try {
                JobFolder.deleteTree(request.folder());
            } catch (IOException e) {
                throw new StokerException(
                        request.folder(), "cannot be deleted: " + e.getMessage() + "; delete it by hand", e);
            }
        }
    }
}
