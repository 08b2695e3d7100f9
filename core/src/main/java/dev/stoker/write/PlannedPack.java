package dev.stoker.write;

import dev.stoker.concurrent.Progress;
import dev.stoker.format.Plan;
import dev.stoker.io.PageEdges;
import dev.stoker.write.ShareFiller.RunDone;
import dev.stoker.write.ShareFiller.Share;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Brings a plan into its partial files: makes them, fills shares of them, seals them.
 *
 * @param blocks what was compressed before there was a plan; null if nothing is compressed
 */
record PlannedPack(PackContext pack, Plan plan, @Nullable BlockSpool blocks) {
    /** The runs that earlier tries filled, with the checksums that they should have. */
    Map<Integer, Integer> earlier(Journal journal, String fingerprint) {
        var earlier = new HashMap<>(journal.earlier());
        if (pack.settings().resume()) {
            earlier.putAll(pack.files().othersDone(pack.team().rank(), fingerprint));
        }
        return earlier;
    }

    /** Makes the files, so that all ranks can write into them; returns what became of the stripes. */
    String prepare(boolean anew) {
        PartialFiles files = pack.files();
        if (anew) {
            files.delete();
        }
        if (pack.writers() > 1) {
            files.makeFolders();
        }
        String striping = plan.isTree() ? "" : pack.stripes().make(files.container(), plan.length(), pack.writers());
        try (var opened = OpenOutput.make(plan, files)) {
            filler(opened).begin();
        }
        return striping;
    }

    /** What this rank fills. */
    Share ownShare() {
        return new Share(pack.team().rank(), pack.team().world(), pack.stripes().size());
    }

    /** Fills the share of rank 0. All is brought to the disk when it is sealed. */
    ShareResult fillAsLeader(Map<Integer, Integer> earlier, Journal journal) {
        try (var opened = OpenOutput.of(plan, pack.files())) {
            return new ShareResult(fill(opened, ownShare(), earlier, journal::done), "");
        }
    }

    /** Has all shares filled by others. */
    List<ShareResult> fillByOthers(
            ShareExecutor others, String fingerprint, Map<Integer, Integer> earlier, Journal journal) {
        Progress progress = pack.progress();
        progress.begin("filling", pack.samples().count(), plan.length());
        var filled = Collections.synchronizedList(new ArrayList<ShareResult>());
        var work = new ShareExecutor.Work(
                fingerprint, others.shares(), pack.stripes().size(), earlier);
        others.fill(work, share -> {
            share.runs().forEach(journal::done);
            filled.add(new ShareResult(share.adopted(), share.edges()));
            progress.add(share.samples(), share.bytes());
        });
        return filled;
    }

    /**
     * Fills the share of any other process. It may be on another node, so it writes no page that others write too, and
     * brings to the disk what it wrote: nobody else can.
     */
    ShareResult fillBesideOthers(Share share, Map<Integer, Integer> earlier, RunDone done) {
        try (PageEdges edges = pack.files().makeEdges()) {
            int resumed;
            try (var opened = OpenOutput.of(plan, pack.files(), edges)) {
                resumed = fill(opened, share, earlier, done);
                if (pack.settings().sync()) {
                    opened.syncShare();
                }
            }
            var filled = new ShareResult(resumed, edges.seal());
            pack.requireUnchanged();
            return filled;
        }
    }

    /** Fills what is not done yet of a share; returns how many runs were. */
    private int fill(OpenOutput opened, Share share, Map<Integer, Integer> earlier, RunDone done) {
        return new ShareFiller(filler(opened), share, pack.progress()).fill(earlier, pack.team()::requireGoing, done);
    }

    /**
     * Writes the pages that several processes have a part of, and what depends on all the rest. The files are opened
     * again: what other nodes wrote is certain to be seen only in a file that is opened after they closed it.
     */
    void seal(List<ShareResult> filled) {
        filled.stream().map(ShareResult::edges).filter(name -> !name.isEmpty()).forEach(pack.files()::applyEdges);
        try (var opened = OpenOutput.of(plan, pack.files())) {
            filler(opened).seal();
            if (pack.settings().sync()) {
                opened.sync();
            }
        }
    }

    private PlanFiller filler(OpenOutput opened) {
        return new PlanFiller(
                pack.samples(), plan, opened, blocks, pack.settings().workers());
    }
}
