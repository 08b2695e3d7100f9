package dev.stoker.write;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.format.BlockPlan;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.job.Team;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import dev.stoker.write.ShareFiller.Share;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Packs samples into a container: plan, fill, seal.
 *
 * <pre>{@code
 * try (Samples samples = Sources.open(request)) {
 *     new Packer(samples, Formats.named("arrow"), Path.of("photos.arrow"), settings, new Progress()).run();
 * }
 * }</pre>
 *
 * <p>The ranks of a {@link Team} pack together: all make the same plan, rank 0 makes the files, each fills its share of
 * the runs and of the Index, and rank 0 seals when all have. A process on its own does just that as the only rank.
 * Until the seal everything has names of its own, see {@link PartialFiles}.
 *
 * <p>The steps: {@link PackDestination} says whether the output may be written, {@link PackPlanner} plans, {@link PackLeader}
 * and {@link PackFollower} are the ranks, {@link PlannedPack} fills and seals, {@link CompletedPack} and
 * {@link Journal} are what a resumed pack finds.
 */
@PublicApi
public final class Packer {
    private final Samples samples;
    private final PackPlanner planner;
    private final PackDestination output;
    private final Progress progress;
    private Team team = Team.ALONE;
    private @Nullable ShareExecutor executor;
    private LustreStriping stripes = LustreStriping.NONE;
    private boolean keepIndex = true;

    /**
     * How to pack.
     *
     * @param workers threads that fill
     * @param resume go on with what an earlier, killed try left; begin anew if there is nothing; if all was done, compare
     * @param force write over an existing container, and throw away what an earlier try left
     * @param sync whether the seal waits for the disk
     */
    public record Settings(FormatOptions options, int workers, boolean resume, boolean force, boolean sync) {}

    /**
     * What was packed. {@code resumedRuns} of the {@code runs} were there already.
     *
     * @param striping what became of the wish for stripes; empty without one
     */
    public record Result(long samples, long bytes, int runs, int resumedRuns, String striping) {}

    public Packer(Samples samples, Format format, Path output, Settings settings, Progress progress) {
        this.samples = samples;
        this.planner = new PackPlanner(samples, format, settings.options(), progress);
        this.output = PackDestination.of(format, output, settings);
        this.progress = progress;
    }

    /** Refuses an output that is, or holds, what it is made from, or the current folder. */
    public static void refuseSources(Format format, Path output, FormatOptions options, List<Path> sources) {
        Path asked = output.toAbsolutePath().normalize();
        OverwriteCheck.refuseSources(asked, new PartialFiles(format.fileFor(asked, options)).output(), sources);
    }

    /** Refuses now, before the samples are listed, what {@link #run} would refuse: an output that is there. */
    public static void refuseExisting(Format format, Path output, Settings settings) {
        PackDestination.of(format, output, settings).refuseExisting(true);
    }

    /** The container alone is wanted: its sidecar, and with it the checksums, is thrown away at the end. */
    public Packer withoutIndex() {
        keepIndex = false;
        return this;
    }

    /** Packs as one of several ranks. */
    public Packer inTeam(Team ranks) {
        team = ranks;
        return this;
    }

    /** Plans and seals, and has the runs filled by others. */
    public Packer withExecutor(ShareExecutor others) {
        executor = others;
        return this;
    }

    /** How the file is to lie on the servers of a parallel filesystem. */
    public Packer striped(LustreStriping wanted) {
        stripes = wanted;
        return this;
    }

    private PackContext context() {
        return new PackContext(samples, planner, output, team, executor, stripes, keepIndex, progress);
    }

    /** How much smaller the samples get, tried on some of them; null if nothing is to be compressed. */
    public @Nullable Compressibility compressibility() {
        BlockPlan cut = planner.cut();
        return cut == null || cut.blocks() == 0 ? null : Compressibility.measure(samples, cut);
    }

    /** The fields that stay as they are although compression was asked for, narrow numbers apart. */
    public List<Field> uncompressed() {
        return planner.uncompressed();
    }

    /** Places every byte, and writes nothing. */
    public Plan plan() {
        return context().plan();
    }

    public Result run() {
        PackContext pack = context();
        try {
            return team.leads() ? new PackLeader(pack).run() : new PackFollower(pack).run();
        } catch (RuntimeException e) {
            throw reasonOf(e, pack);
        }
    }

    /** What fails while a source is written fails in any way; that the source changed is what the user must know. */
    private static RuntimeException reasonOf(RuntimeException failure, PackContext pack) {
        try {
            pack.requireUnchanged();
            return failure;
        } catch (StokerException changed) {
            changed.addSuppressed(failure);
            return changed;
        }
    }

    /** The leader's plan, made again by a process that fills a share of it. */
    public Plan planFor(ShareExecutor.Work work) {
        PackContext pack = context();
        Plan plan = pack.plan();
        pack.requireSamePlan("the process that leads", work.fingerprint(), planner.fingerprint(plan));
        return plan;
    }

    /**
     * Fills a share of a plan for its leader, which has made the files and will seal them. It may be filled again,
     * also by two at once: the same bytes go to the same places.
     */
    public ShareExecutor.Filled fillShare(Plan plan, ShareExecutor.Work work, int share) {
        var runs = new ConcurrentHashMap<Integer, Integer>();
        ShareResult filled = new PlannedPack(context(), plan, null)
                .fillBesideOthers(new Share(share, work.shares(), work.stripe()), work.earlier(), runs::put);
        return new ShareExecutor.Filled(
                new HashMap<>(runs), filled.resumed(), filled.edges(), progress.totalSamples(), progress.totalBytes());
    }
}
