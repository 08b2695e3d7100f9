package dev.stoker.write;

import dev.stoker.format.Plan;
import dev.stoker.job.Team;
import dev.stoker.write.Packer.Result;

/** What a rank other than 0 does: it makes the same plan, fills its share, and waits for rank 0 to seal. */
record PackFollower(PackContext pack) {
    Result run() {
        Plan plan = pack.plan();
        String fingerprint = pack.planner().fingerprint(plan);
        Team team = pack.team();
        String leaders = team.awaitLeader(Team.Step.PREPARED);
        boolean isSealed = leaders.startsWith(PackLeader.SEALED_BEFORE);
        pack.requireSamePlan(
                "rank 0", isSealed ? leaders.substring(PackLeader.SEALED_BEFORE.length()) : leaders, fingerprint);
        ShareResult filled = isSealed ? ShareResult.NOTHING : fill(new PlannedPack(pack, plan, null), fingerprint);
        team.tell(Team.Step.FILLED, filled.text());
        pack.progress().phase("waiting for rank 0 to seal");
        team.awaitLeader(Team.Step.SEALED);
        return new Result(pack.samples().count(), plan.length(), plan.runs(), filled.resumed(), "");
    }

    private ShareResult fill(PlannedPack planned, String fingerprint) {
        pack.team().awaitSeen(pack.files().container());
        try (var journal = pack.files()
                .openJournal(pack.team().rank(), fingerprint, pack.settings().resume())) {
            return planned.fillBesideOthers(planned.ownShare(), planned.earlier(journal, fingerprint), journal::done);
        }
    }
}
