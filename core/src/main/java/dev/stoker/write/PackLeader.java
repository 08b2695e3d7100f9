package dev.stoker.write;

import dev.stoker.format.Plan;
import dev.stoker.job.Team;
import dev.stoker.write.Packer.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What rank 0 does, or a process on its own: it makes the files, fills its share, and seals when all have. */
final class PackLeader {
    /** What rank 0 says before the fingerprint when nothing is left to fill. */
    static final String SEALED_BEFORE = "sealed ";

    private final PackContext pack;
    private final PackDestination output;
    private final Team team;

    PackLeader(PackContext pack) {
        this.pack = pack;
        this.output = pack.output();
        this.team = pack.team();
    }

    Result run() {
        // A command asks this before it lists its source, too. Hours may lie between, so it is asked where it counts.
        output.refuseExisting(pack.keepIndex());
        if (output.isLeft() && !pack.files().exist()) {
            return endCompleted();
        }
        if (pack.format().isMade(pack.settings().options())) {
            return new ExternalPack(pack, this).run();
        }
        pack.planner().requireAble(pack.writers());
        try (BlockSpool compressed = pack.compress()) {
            return run(new PlannedPack(pack, pack.planner().plan(compressed), compressed));
        }
    }

    private Result run(PlannedPack planned) {
        Plan plan = planned.plan();
        output.makeFolder();
        output.refuseFullDisk(plan);
        String fingerprint = pack.planner().fingerprint(plan);
        // The journal is this output's lock: nobody may start over on the partial files before they are renamed.
        try (var journal =
                pack.files().openJournal(0, fingerprint, pack.settings().resume())) {
            Map<Integer, Integer> earlier = planned.earlier(journal, fingerprint);
            if (output.isLeft()) {
                requireCompleted(journal);
                return endSealed(plan, fingerprint);
            }
            String striping = planned.prepare(earlier.isEmpty());
            team.tell(Team.Step.PREPARED, fingerprint);
            List<ShareResult> filled = fill(planned, fingerprint, earlier, journal);
            pack.progress().phase("sealing");
            planned.seal(filled);
            pack.requireUnchanged();
            journal.seal(pack.settings().sync());
            publish(!plan.index().isContainer());
            team.tell(Team.Step.SEALED, "");
            int resumed = filled.stream().mapToInt(ShareResult::resumed).sum();
            return new Result(pack.samples().count(), plan.length(), plan.runs(), resumed, striping);
        }
    }

    /** Returns when all ranks have filled their shares. */
    private List<ShareResult> fill(
            PlannedPack planned, String fingerprint, Map<Integer, Integer> earlier, Journal journal) {
        var filled = new ArrayList<ShareResult>();
        ShareExecutor executor = pack.executor();
        if (executor == null) {
            filled.add(planned.fillAsLeader(earlier, journal));
        } else {
            filled.addAll(planned.fillByOthers(executor, fingerprint, earlier, journal));
        }
        pack.progress().phase("waiting for the other ranks");
        team.awaitAll(Team.Step.FILLED).forEach(text -> filled.add(ShareResult.parse(text)));
        return filled;
    }

    /** Gives what is sealed its final name. */
    void publish(boolean hasSidecar) {
        team.requireGoing();
        output.publish(pack.keepIndex() && hasSidecar);
    }

    /** What has the final name is of this plan if everything was filled; if the journal does not say so, its values must. */
    void requireCompleted(Journal journal) {
        if (!pack.settings().resume()) {
            throw output.alreadyExists(); // since this pack began
        }
        if (!journal.isSealed()) {
            requireSamples();
        }
    }

    private CompletedPack requireSamples() {
        var completed = new CompletedPack(pack.files().output(), pack.format().name());
        completed.require(pack.samples(), pack.settings().workers(), pack.progress());
        return completed;
    }

    /** Ends what an earlier try had sealed. */
    private Result endSealed(Plan plan, String fingerprint) {
        team.tell(Team.Step.PREPARED, SEALED_BEFORE + fingerprint);
        team.awaitAll(Team.Step.FILLED);
        pack.files().clean(pack.settings().sync());
        team.tell(Team.Step.SEALED, "");
        return new Result(pack.samples().count(), plan.length(), plan.runs(), plan.runs(), "");
    }

    /** Ends what an earlier try had completed and cleaned up. */
    private Result endCompleted() {
        CompletedPack completed = requireSamples();
        if (team.world() > 1) {
            Plan plan = pack.plan();
            return endSealed(plan, pack.planner().fingerprint(plan));
        }
        return new Result(pack.samples().count(), completed.bytes(), 1, 1, "");
    }
}
