package dev.stoker.job;

import dev.stoker.StokerException;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileOwnership;
import dev.stoker.os.FileProbe;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a rank finds its try: rank 0 makes it, once nobody else is at work on the output; the others look for one whose
 * rank 0 is alive.
 */
final class JobRendezvous {
    /** Heartbeats come every second; who gave none for so long, on a filesystem that shows files late too, is dead. */
    private static final Duration SILENCE = Duration.ofSeconds(8);

    private final JobRequest request;
    private final Path folder;

    JobRendezvous(JobRequest request) {
        this.request = request;
        this.folder = request.folder();
    }

    /** Makes a new try. Of several that want to at once, one gets through, since a folder is made by one. */
    JobFolder make(String nonce) {
        try {
            while (true) {
                clear(nonce);
                try {
                    Files.createDirectory(folder);
                    break;
                } catch (FileAlreadyExistsException e) {
                    // Another job was faster; the next round finds out whether it lives.
                }
            }
            return new JobFolder(Files.createDirectory(folder.resolve(nonce)));
        } catch (IOException e) {
            throw FileErrors.cannotWrite(folder, e);
        }
    }

    /** Takes away what an earlier job left, if it may be taken away. */
    void clear(String nonce) throws IOException {
        Job.refusePythonSave(request.output());
        if (!FileProbe.exists(folder)) {
            return;
        }
        RankState left = awaitSilence();
        if (!request.resume() && !request.force()) {
            throw leftover(left);
        }
        Path old = folder.resolveSibling(folder.getFileName() + "-" + nonce);
        try {
            // A rename is done by one: what another job makes here from now on is not deleted.
            Files.move(folder, old, StandardCopyOption.ATOMIC_MOVE);
            JobFolder.deleteTree(old);
        } catch (NoSuchFileException e) {
            // Another job took it away.
        }
    }

    private StokerException leftover(@Nullable RankState left) {
        return new StokerException(
                folder,
                "is what an earlier job left"
                        + (left == null ? "" : " (" + left.job() + ")")
                        + "; use --resume to continue it, or --force to start over");
    }

    private StokerException inUse(RankState other) {
        return new StokerException(
                request.output(), "is being written by " + other.job() + "; wait for it, or choose another output");
    }

    /**
     * Returns when nobody of an earlier job gives a heartbeat any more, with one of its ranks. If its rank 0 does,
     * that job goes on, and this one is refused; the others notice by themselves that their rank 0 is gone.
     */
    private @Nullable RankState awaitSilence() {
        Map<Integer, RankState> seen = new HashMap<>();
        Duration patience = request.timeout().plus(SILENCE);
        for (Backoff pause = new Backoff(), silence = new Backoff(); !silence.isLonger(SILENCE); pause.sleep()) {
            boolean allOver = true;
            int count = 0;
            for (JobFolder folderOfTry : JobFolder.tries(folder)) {
                for (RankState state : folderOfTry.states()) {
                    RankState before = seen.put(state.rank(), state);
                    allOver &= state.isOver();
                    count++;
                    if (before != null && !before.isSameMoment(state) && !state.isOver()) {
                        if (state.rank() == 0 || pause.isLonger(patience)) {
                            throw inUse(state);
                        }
                        silence = new Backoff();
                    }
                }
            }
            if (count > 0 && allOver) {
                break;
            }
        }
        return seen.isEmpty() ? null : seen.values().iterator().next();
    }

    /** Finds the try of this rank's own job. */
    JobFolder find() {
        Map<JobFolder, RankState> seen = new HashMap<>();
        boolean mayTakeOver = request.resume() || request.force();
        List<JobFolder> earlier = JobFolder.tries(folder);
        // Rank 0 may have to be sure first that nobody of an earlier job lives.
        Duration patience = request.timeout().plus(SILENCE);
        for (Backoff pause = new Backoff(); !pause.isLonger(patience); pause.sleep()) {
            for (JobFolder found : JobFolder.tries(folder)) {
                RankState leader = found.state(0);
                // One that was there before may be of an earlier run of the same launcher, which is being resumed.
                if (leader != null && leader.isOver() && !earlier.contains(found)) {
                    throw new StokerException(leader.name() + " gave up: " + leader.failure());
                }
                RankState before = leader == null ? null : seen.putIfAbsent(found, leader);
                if (leader == null || before == null) {
                    continue;
                }
                if (!before.isSameMoment(leader) && !leader.isOver()) {
                    return checked(found, leader);
                }
                if (!mayTakeOver && (leader.isOver() || pause.isLonger(SILENCE.multipliedBy(2)))) {
                    throw leftover(leader);
                }
            }
        }
        throw new StokerException("rank " + request.rank() + ": rank 0 of " + request.world()
                + " did not start writing [" + request.output() + "] within "
                + patience.toSeconds()
                + " s; start all ranks, or give --rank 0 --world 1 for a process on its own");
    }

    private JobFolder checked(JobFolder found, RankState leader) {
        try {
            FileOwnership.requireFolder(folder);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(folder, e);
        }
        if (!leader.launcher().equals(request.launcher())) {
            throw inUse(leader);
        }
        return found;
    }
}
