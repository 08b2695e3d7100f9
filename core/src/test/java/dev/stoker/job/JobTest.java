package dev.stoker.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.Await;
import dev.stoker.StokerException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JobTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private final ExecutorService pool = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        pool.shutdownNow();
    }

    private JobRequest request(int rank, int world, String launcher, String work) {
        return new JobRequest(folder.resolve("out.stk"), rank, world, launcher, work, false, false, PATIENCE);
    }

    private JobRequest hasty(int rank, int world, boolean resume) {
        return new JobRequest(
                folder.resolve("out.stk"), rank, world, "", "photos", resume, false, Duration.ofSeconds(2));
    }

    private Path jobFolder() {
        return Job.folder(folder.resolve("out.stk"));
    }

    @Test
    void whatRankZeroMadeIsWaitedForUntilThisNodeSeesIt() throws Exception {
        Path made = folder.resolve("out.lmdb/data.mdb.partial");
        var thread = new CompletableFuture<Thread>();
        Future<?> waiting = pool.submit(() -> {
            thread.complete(Thread.currentThread());
            Team.ALONE.awaitSeen(made);
        });
        Await.untilAsleep(thread.get());
        assertThat(waiting.isDone()).isFalse();
        Files.createDirectory(made.getParent());
        Files.createFile(made);
        waiting.get();
    }

    @Test
    void whatRanksOfPythonLeftIsRefused() throws IOException {
        Path left = Files.createDirectory(folder.resolve(".out.stk.stoker-save"));
        assertThatThrownBy(() -> Job.join(request(0, 2, "", "photos")))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining(".out.stk.stoker-save] belongs to Python processes that save");
        assertThatThrownBy(() -> Job.clear(hasty(0, 1, true))).hasMessageContaining("belongs to Python processes");
        assertThat(left).exists();
        assertThat(jobFolder()).doesNotExist();
    }

    private static String message(Future<?> rank) throws InterruptedException {
        try {
            rank.get();
            return "";
        } catch (ExecutionException e) {
            return String.valueOf(e.getCause().getMessage());
        }
    }

    @Test
    void everyRankLearnsWhatAllFound() throws Exception {
        List<Future<List<String>>> ranks = new ArrayList<>();
        for (int r = 3; r >= 0; r--) {
            int rank = r;
            ranks.add(pool.submit(() -> {
                Team team = Job.join(request(rank, 4, "", "photos"));
                return team.run(() -> exchange(team));
            }));
        }
        for (Future<List<String>> rank : ranks) {
            assertThat(rank.get()).containsExactly("0", "1", "2", "3");
        }
        assertThat(jobFolder()).doesNotExist();
    }

    private static List<String> exchange(Team team) {
        var all = new String[team.world()];
        all[team.rank()] = String.valueOf(team.rank());
        team.exchange(
                "numbers",
                "four",
                MemorySegment.ofArray(new byte[] {(byte) ('0' + team.rank())}),
                (from, bytes) -> all[from] = String.valueOf((char) bytes.get(ValueLayout.JAVA_BYTE, 0)));
        team.tell(Team.Step.FILLED, "");
        if (team.leads()) {
            team.awaitAll(Team.Step.FILLED);
            team.tell(Team.Step.SEALED, "");
        } else {
            team.awaitLeader(Team.Step.SEALED);
        }
        return List.of(all);
    }

    @Test
    void ranksThatWereGivenDifferentThingsAreRefused() throws Exception {
        Future<?> leader = pool.submit(() -> {
            Team team = Job.join(request(0, 2, "Slurm job 7 step 0", "photos"));
            return team.run(() -> exchange(team));
        });
        assertThatThrownBy(() -> Job.join(request(1, 2, "Slurm job 7 step 0", "paintings")))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("rank 0 (process ")
                .hasMessageContaining("has photos, but rank 1")
                .hasMessageContaining("has paintings");
        assertThat(message(leader)).contains("photos").contains("paintings");
    }

    @Test
    void aSecondJobIsRefusedAndNamesTheFirst() throws Exception {
        Future<?> leader = pool.submit(() -> {
            Team team = Job.join(request(0, 2, "Slurm job 7 step 0", "photos"));
            return team.run(() -> exchange(team));
        });
        for (int rank : new int[] {1, 0}) {
            assertThatThrownBy(() -> Job.join(request(rank, 2, "Slurm job 8 step 0", "paintings")))
                    .isInstanceOf(StokerException.class)
                    .hasMessageContaining("is being written by Slurm job 7 step 0")
                    .hasMessageContaining("photos");
        }
        Team second = Job.join(request(1, 2, "Slurm job 7 step 0", "photos"));
        second.run(() -> exchange(second));
        assertThat(message(leader)).isEmpty();
    }

    @Test
    void aRankThatDoesNotComeIsNamed() {
        Team team = Job.join(hasty(0, 2, false));
        assertThatThrownBy(() -> team.run(() -> exchange(team)))
                .isInstanceOf(StokerException.class)
                .hasMessageStartingWith("rank 1 of 2 did not start within 2 s");
    }

    @Test
    void whatADeadJobLeftIsReportedAndTakenOverWhenAsked() throws Exception {
        // The heartbeat of a process that was killed: it never changes, whatever the clocks say.
        var dead = new RankState(0, 2, "process 1 on n1", "ff", "Slurm job 6", "photos", 5, Map.of("JOINED", ""), null);
        Path attempt = Files.createDirectories(jobFolder().resolve("ff"));
        new JobFolder(attempt).put(dead);
        assertThatThrownBy(() -> Job.join(hasty(0, 2, false)))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("is what an earlier job left (Slurm job 6 of 2 ranks, rank 0 (process 1 on n1)")
                .hasMessageContaining("--resume");
        Team team = Job.join(hasty(0, 1, true));
        assertThat(attempt).doesNotExist();
        assertThat(team.run(() -> exchange(team))).containsExactly("0");
    }

    @Test
    void whatTheSameLauncherLeftIsNotTakenForThisRun() throws Exception {
        var dead = new RankState(0, 2, "process 1 on n1", "ff", "", "photos", 5, Map.of("JOINED", ""), "killed");
        new JobFolder(Files.createDirectories(jobFolder().resolve("ff"))).put(dead);
        var patient = new JobRequest(folder.resolve("out.stk"), 1, 2, "", "photos", true, false, PATIENCE);
        var thread = new CompletableFuture<Thread>();
        Future<List<String>> early = pool.submit(() -> {
            thread.complete(Thread.currentThread());
            Team team = Job.join(patient);
            return team.run(() -> exchange(team));
        });
        Await.untilAsleep(thread.get());
        Team leader = Job.join(new JobRequest(patient.output(), 0, 2, "", "photos", true, false, PATIENCE));
        assertThat(leader.run(() -> exchange(leader))).containsExactly("0", "1");
        assertThat(early.get()).containsExactly("0", "1");
    }

    @Test
    void aFileThatIsSeenLateOrInPartsIsWaitedFor() throws Exception {
        Team team = Job.join(request(0, 2, "", "photos"));
        Path attempt = JobFolder.tries(jobFolder()).getFirst().path();
        var thread = new CompletableFuture<Thread>();
        Future<List<String>> all = pool.submit(() -> {
            thread.complete(Thread.currentThread());
            return team.run(() -> exchange(team));
        });
        var late = new RankState(1, 2, "process 2 on n2", "ee", "", "photos", 1, Map.of("JOINED", ""), null);
        var part = new JobFolder(attempt);
        part.put(late);
        Path gift = attempt.resolve("gift-0-1");
        Files.write(gift, new byte[] {6, 0, 0});
        Await.until("rank 0 gave its own", () -> Files.exists(attempt.resolve("gift-0-0")));
        Await.untilAsleep(thread.get());
        assertThat(all.isDone()).isFalse();
        Files.delete(gift);
        part.give("gift-0", late, MemorySegment.ofArray(new byte[] {4, 'f', 'o', 'u', 'r', '1'}));
        part.put(late.withBeat().with(Team.Step.FILLED, "").with(Team.Step.LEFT, ""));
        assertThat(all.get()).containsExactly("0", "1");
    }

    @Test
    void aFolderThatVanishesEndsTheJob() throws IOException {
        Team team = Job.join(request(0, 2, "", "photos"));
        JobFolder.deleteTree(jobFolder());
        assertThatThrownBy(() -> team.run(() -> exchange(team))).isInstanceOf(StokerException.class);
    }
}
