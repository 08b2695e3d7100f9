package dev.stoker.pack;

import dev.stoker.StokerException;
import dev.stoker.format.Ability;
import dev.stoker.format.BlockCut;
import dev.stoker.format.Format;
import dev.stoker.format.Options;
import dev.stoker.format.Plan;
import dev.stoker.format.Run;
import dev.stoker.job.Team;
import dev.stoker.memory.Edges;
import dev.stoker.memory.Filesystem;
import dev.stoker.memory.Found;
import dev.stoker.memory.OutputFile;
import dev.stoker.pack.ShareFilling.RunDone;
import dev.stoker.pack.ShareFilling.Share;
import dev.stoker.sample.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Packs samples into a container: plan, fill, seal.
 *
 * <p>The ranks of a {@link Team} pack together: all make the same plan, rank 0 makes the files, each fills its share of
 * the runs and of the Index, and rank 0 seals when all have. A process on its own does just that as the only rank.
 * Until the seal everything has names of its own, see {@link PartialFiles}.
 */
public final class Packer {
    /** What rank 0 says before the fingerprint when nothing is left to fill. */
    private static final String SEALED_BEFORE = "sealed ";

    private final Samples samples;
    private final Format format;
    private final Settings settings;
    private final PartialFiles files;
    /** The folder of the name that was asked for, which must be there. */
    private final @Nullable Path folder;

    private final Progress progress;
    private Team team = Team.ALONE;
    /** Those who fill in this process's place; null if it does so itself. */
    private @Nullable Crew crew;

    private Stripes stripes = Stripes.NONE;
    private boolean keepIndex = true;
    /** What was compressed before there was a plan; null if nothing is compressed. */
    private @Nullable BlockSpool blocks;

    /**
     * How to pack.
     *
     * @param workers threads that fill
     * @param resume go on with what an earlier, killed try left; begin anew if there is nothing; if all was done, compare
     * @param force write over an existing container, and throw away what an earlier try left
     * @param sync whether the seal waits for the disk
     */
    public record Settings(Options options, int workers, boolean resume, boolean force, boolean sync) {}

    /**
     * What was packed. {@code resumedRuns} of the {@code runs} were there already.
     *
     * @param striping what became of the wish for stripes; empty without one
     */
    public record Result(long samples, long bytes, int runs, int resumedRuns, String striping) {}

    public Packer(Samples samples, Format format, Path output, Settings settings, Progress progress) {
        this.samples = samples;
        this.format = format;
        this.settings = settings;
        Path asked = output.toAbsolutePath().normalize();
        this.files = new PartialFiles(format.fileFor(asked, settings.options()));
        this.folder = asked.getParent();
        this.progress = progress;
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
    public Packer withCrew(Crew others) {
        crew = others;
        return this;
    }

    /** How the file is to lie on the servers of a parallel filesystem. */
    public Packer striped(Stripes wanted) {
        stripes = wanted;
        return this;
    }

    /** Places every byte, and writes nothing. */
    public Plan plan() {
        requireAble();
        try (BlockSpool compressed = compress()) {
            return plan(compressed);
        }
    }

    private void requireAble() {
        refuseSplits();
        if (writers() > 1 && !format.can(Ability.PARALLEL_FILL)) {
            throw new StokerException("format " + format.name() + " cannot be written by " + writers()
                    + " ranks: what one writes depends on what others do. Pack with one process (--rank 0 --world 1),"
                    + " or choose a format with parallel fill (see: stoker formats)");
        }
    }

    /** How many processes write. */
    private int writers() {
        return crew == null ? team.world() : crew.shares();
    }

    private Plan plan(@Nullable BlockSpool compressed) {
        progress.phase("planning");
        return compressed == null
                ? format.plan(samples, settings.options())
                : format.plan(samples, settings.options(), compressed);
    }

    /** Compresses the samples, if the options ask for it. */
    private @Nullable BlockSpool compress() {
        BlockCut cut = format.compress(samples, settings.options());
        if (cut == null) {
            return null;
        }
        if (writers() > 1) {
            throw new StokerException("with --compression, format " + format.name() + " cannot be written by "
                    + writers() + " ranks: places depend on how small each block gets. Leave out --compression, or"
                    + " pack with one process (--rank 0 --world 1)");
        }
        return BlockSpool.compress(samples, cut, files.blocks(), settings.workers(), progress);
    }

    private void refuseSplits() {
        if (!samples.splits().isEmpty() && !format.can(Ability.SPLITS)) {
            throw new StokerException("format " + format.name() + " has no place for splits; pack each split into a"
                    + " container of its own, or choose a format that has (see: stoker formats)");
        }
    }

    public Result run() {
        try {
            return team.leads() ? lead() : follow();
        } catch (RuntimeException e) {
            throw reasonOf(e);
        }
    }

    /** What fails while a source is written fails in any way; that the source changed is what the user must know. */
    private RuntimeException reasonOf(RuntimeException failure) {
        try {
            requireUnchanged();
            return failure;
        } catch (StokerException changed) {
            changed.addSuppressed(failure);
            return changed;
        }
    }

    private Result lead() {
        refuseExisting(format, files, folder, settings, keepIndex);
        if (isLeft() && !files.exist()) {
            return endFinished();
        }
        if (format.isMade(settings.options())) {
            return make();
        }
        requireAble();
        try (BlockSpool compressed = compress()) {
            blocks = compressed;
            return lead(plan(compressed));
        }
    }

    private Result lead(Plan plan) {
        makeFolder();
        refuseFullDisk(plan);
        String fingerprint = fingerprint(plan);
        // The journal is this output's lock: nobody may begin anew on the partial files before they are renamed.
        try (var journal = files.openJournal(0, fingerprint, settings.resume())) {
            Map<Integer, Integer> earlier = earlier(journal, fingerprint);
            if (isLeft()) {
                requireFinished(journal);
                return endSealed(plan, fingerprint);
            }
            String striping = prepare(plan, earlier.isEmpty());
            team.tell(Team.Step.PREPARED, fingerprint);
            var filled = new ArrayList<FilledShare>();
            if (crew == null) {
                filled.add(new FilledShare(fillAsLeader(plan, earlier, journal), ""));
            } else {
                haveFilled(crew, plan, new Crew.Work(fingerprint, crew.shares(), stripes.size(), earlier), journal)
                        .forEach(filled::add);
            }
            progress.phase("waiting for the other ranks");
            team.awaitAll(Team.Step.FILLED).forEach(text -> filled.add(FilledShare.parse(text)));
            progress.phase("sealing");
            seal(plan, filled);
            requireUnchanged();
            journal.seal(settings.sync());
            finish(!plan.index().isContainer());
            team.tell(Team.Step.SEALED, "");
            int resumed = filled.stream().mapToInt(FilledShare::resumed).sum();
            return new Result(samples.count(), plan.length(), plan.runs(), resumed, striping);
        }
    }

    /** Whether the output has its final name already, as that of an earlier try that was killed before it had cleaned up. */
    private boolean isLeft() {
        return !settings.force() && Found.exists(files.output());
    }

    /** What has the final name is of this plan if everything was filled; if the journal does not say so, its values must. */
    private void requireFinished(Journal journal) {
        if (!settings.resume()) {
            throw isThere(files.output()); // since this pack began
        }
        if (!journal.isSealed()) {
            requireSamples();
        }
    }

    private FinishedPack requireSamples() {
        var finished = new FinishedPack(files.output(), format.name());
        finished.require(samples, settings.workers(), progress);
        return finished;
    }

    /** Ends what an earlier try had sealed. */
    private Result endSealed(Plan plan, String fingerprint) {
        team.tell(Team.Step.PREPARED, SEALED_BEFORE + fingerprint);
        team.awaitAll(Team.Step.FILLED);
        files.clean(settings.sync());
        team.tell(Team.Step.SEALED, "");
        return new Result(samples.count(), plan.length(), plan.runs(), plan.runs(), "");
    }

    /** Goes on with what an earlier try had completed. */
    private Result endFinished() {
        FinishedPack finished = requireSamples();
        if (team.world() > 1) {
            Plan plan = plan();
            return endSealed(plan, fingerprint(plan));
        }
        return new Result(samples.count(), finished.bytes(), 1, 1, "");
    }

    /** Has the whole container made by another program; a killed try begins anew. */
    private Result make() {
        refuseSplits();
        if (writers() > 1) {
            throw new StokerException(
                    "[" + files.output() + "] cannot be written by " + writers()
                            + " ranks, since another program makes it as a whole; pack with one process, or without --compression");
        }
        makeFolder();
        var made = new MadeContainer(samples, format);
        try (var journal = files.openJournal(0, samples.fingerprint(), settings.resume())) {
            if (isLeft()) {
                requireFinished(journal);
                files.clean(settings.sync());
                return new Result(samples.count(), Files.size(files.output()), 1, 1, "");
            }
            files.delete();
            progress.begin("filling", samples.count(), made.bytes());
            made.make(settings.options(), files.container(), files.index(), progress);
            requireUnchanged();
            progress.phase("sealing");
            long bytes = Files.size(files.container());
            if (settings.sync()) {
                sync(files.container());
                sync(files.index());
            }
            journal.seal(settings.sync());
            finish(true);
            return new Result(samples.count(), bytes, 1, 0, "");
        } catch (IOException e) {
            throw OutputFile.cannotWrite(files.container(), e);
        }
    }

    private static void sync(Path path) {
        try (var file = OutputFile.open(path)) {
            file.sync();
        }
    }

    private Result follow() {
        Plan plan = plan();
        String fingerprint = fingerprint(plan);
        String leaders = team.awaitLeader(Team.Step.PREPARED);
        boolean isSealed = leaders.startsWith(SEALED_BEFORE);
        requireSame("rank 0", isSealed ? leaders.substring(SEALED_BEFORE.length()) : leaders, fingerprint);
        FilledShare filled = isSealed ? FilledShare.NOTHING : fillOwnPart(plan, fingerprint);
        team.tell(Team.Step.FILLED, filled.text());
        progress.phase("waiting for rank 0 to seal");
        team.awaitLeader(Team.Step.SEALED);
        return new Result(samples.count(), plan.length(), plan.runs(), filled.resumed(), "");
    }

    private FilledShare fillOwnPart(Plan plan, String fingerprint) {
        team.awaitSeen(files.container());
        try (var journal = files.openJournal(team.rank(), fingerprint, settings.resume())) {
            FilledShare filled = fillBesideOthers(plan, ownShare(), earlier(journal, fingerprint), journal::done);
            requireUnchanged();
            return filled;
        }
    }

    /** What was packed must be one version of its source. */
    private void requireUnchanged() {
        samples.seenFiles().forEach(file -> file.requireUnchanged("packed"));
    }

    private void requireSame(String leader, String leaders, String mine) {
        if (!leaders.equals(mine)) {
            throw new StokerException((crew == null && team.world() > 1 ? "rank " + team.rank() : "this process")
                    + " found other samples than " + leader + ": the hash of its plan is " + mine.substring(0, 16)
                    + ", that of " + leader + " is " + leaders.substring(0, 16)
                    + "; the source changes, or differs between the nodes");
        }
    }

    /** Refuses an output that is, or holds, what it is made from, or the current folder. */
    public static void refuseSources(Format format, Path output, Options options, List<Path> sources) {
        Path asked = output.toAbsolutePath().normalize();
        Overwriting.refuseSources(asked, new PartialFiles(format.fileFor(asked, options)).output(), sources);
    }

    /** Refuses an output that is there, or that an earlier pack left unfinished, unless that was asked for. */
    public static void refuseExisting(Format format, Path output, Settings settings) {
        Path asked = output.toAbsolutePath().normalize();
        var files = new PartialFiles(format.fileFor(asked, settings.options()));
        refuseExisting(format, files, asked.getParent(), settings, true);
    }

    /**
     * The same.
     *
     * @param onlyContainers whether a folder must be a container to be written over; loose files alone replace any folder
     */
    private static void refuseExisting(
            Format format, PartialFiles files, @Nullable Path folder, Settings settings, boolean onlyContainers) {
        Path output = files.output();
        if (Found.exists(output)) {
            Overwriting.requireKind(format, output);
            if (!settings.force() && !settings.resume()) {
                throw isThere(output);
            }
            if (!settings.force() && Found.exists(files.container())) {
                throw new StokerException("[" + output + "] is there already, and so is what a pack left that was to"
                        + " replace it; --resume --force goes on with that");
            }
            if (settings.force() && onlyContainers) {
                Overwriting.requireContainer(output);
            }
        }
        Path parent = Objects.requireNonNull(output.getParent());
        if (!parent.equals(folder) && Found.exists(parent) && !Found.isFolder(parent)) {
            throw Overwriting.wrongKind(format, parent, false);
        }
        if (files.exist() && !settings.resume() && !settings.force()) {
            throw new StokerException("[" + files.container()
                    + "] is what an earlier pack left, or one that is running now; "
                    + "--resume goes on with it, --force begins anew");
        }
        if (folder == null || !Found.isFolder(folder)) {
            throw new StokerException("[" + output + "] cannot be written: its folder does not exist");
        }
    }

    private static StokerException isThere(Path output) {
        return new StokerException("[" + output + "] is there already; --force writes it anew");
    }

    /** The folder of the output itself, where the format puts it into one of its own. */
    private void makeFolder() {
        try {
            Files.createDirectories(Objects.requireNonNull(files.output().getParent()));
        } catch (IOException e) {
            throw OutputFile.cannotWrite(files.output(), e);
        }
    }

    private void refuseFullDisk(Plan plan) {
        Path partial = files.container();
        try {
            long there = Found.exists(partial) ? Files.size(partial) : 0;
            long free =
                    Filesystem.of(Objects.requireNonNull(partial.getParent())).freeBytes();
            long needed = plan.length()
                    + (plan.index().isContainer() ? 0 : plan.index().length());
            if (needed - there > free) {
                throw new StokerException(
                        "[" + files.output() + "] needs " + needed + " bytes but its disk has only " + free + " free");
            }
        } catch (IOException e) {
            throw OutputFile.cannotWrite(partial, e);
        }
    }

    /** The runs that earlier tries filled, with the checksums that they should have. */
    private Map<Integer, Integer> earlier(Journal journal, String fingerprint) {
        var earlier = new HashMap<>(journal.earlier());
        if (settings.resume()) {
            earlier.putAll(files.othersDone(team.rank(), fingerprint));
        }
        return earlier;
    }

    /** Makes the files, so that all ranks can write into them; returns what became of the stripes. */
    private String prepare(Plan plan, boolean anew) {
        if (anew) {
            files.delete();
        }
        if (writers() > 1) {
            files.makeFolders();
        }
        String striping = plan.isTree() ? "" : stripes.make(files.container(), plan.length(), writers());
        try (var opened = Opened.make(plan, files)) {
            filling(plan, opened).begin();
        }
        return striping;
    }

    /** What this rank fills. */
    private Share ownShare() {
        return new Share(team.rank(), team.world(), stripes.size());
    }

    private List<FilledShare> haveFilled(Crew others, Plan plan, Crew.Work work, Journal journal) {
        progress.begin("filling", samples.count(), plan.length());
        var filled = Collections.synchronizedList(new ArrayList<FilledShare>());
        others.fill(work, share -> {
            share.runs().forEach(journal::done);
            filled.add(new FilledShare(share.adopted(), share.edges()));
            progress.add(share.samples(), share.bytes());
        });
        return filled;
    }

    /** The plan of a crew's leader, made again by one who is to fill a share of it. */
    public Plan planFor(Crew.Work work) {
        Plan plan = plan();
        requireSame("the process that leads", work.fingerprint(), fingerprint(plan));
        return plan;
    }

    /**
     * Fills a share of a plan for a crew's leader, which has made the files and will seal them. It may be filled again,
     * also by two at once: the same bytes go to the same places.
     */
    public Crew.Filled fillShare(Plan plan, Crew.Work work, int share) {
        var runs = new ConcurrentHashMap<Integer, Integer>();
        FilledShare filled =
                fillBesideOthers(plan, new Share(share, work.shares(), work.stripe()), work.earlier(), runs::put);
        requireUnchanged();
        return new Crew.Filled(
                new HashMap<>(runs), filled.resumed(), filled.edges(), progress.totalSamples(), progress.totalBytes());
    }

    /** Fills the share of rank 0. All is brought to the disk when it is sealed. */
    private int fillAsLeader(Plan plan, Map<Integer, Integer> earlier, Journal journal) {
        try (var opened = Opened.of(plan, files)) {
            return fill(plan, opened, ownShare(), earlier, journal::done);
        }
    }

    /**
     * Fills the share of any other process. It may be on another node, so it writes no page that others write too, and
     * brings to the disk what it wrote: nobody else can.
     */
    private FilledShare fillBesideOthers(Plan plan, Share share, Map<Integer, Integer> earlier, RunDone done) {
        try (Edges edges = files.makeEdges()) {
            int resumed;
            try (var opened = Opened.of(plan, files, edges)) {
                resumed = fill(plan, opened, share, earlier, done);
                if (settings.sync()) {
                    opened.syncShare();
                }
            }
            return new FilledShare(resumed, edges.seal());
        }
    }

    /** Fills what is not done yet of a share; returns how many runs were. */
    private int fill(Plan plan, Opened opened, Share share, Map<Integer, Integer> earlier, RunDone done) {
        return new ShareFilling(filling(plan, opened), share, progress).fill(earlier, team::requireGoing, done);
    }

    private Filling filling(Plan plan, Opened opened) {
        return new Filling(samples, plan, opened, blocks, settings.workers());
    }

    /**
     * Writes the pages that several processes have a part of, and what depends on all the rest. The files are opened anew: what other nodes wrote is seen for certain only by
     * who opens a file after they closed it.
     */
    private void seal(Plan plan, List<FilledShare> filled) {
        filled.stream().map(FilledShare::edges).filter(name -> !name.isEmpty()).forEach(files::applyEdges);
        try (var opened = Opened.of(plan, files)) {
            filling(plan, opened).seal();
            if (settings.sync()) {
                opened.sync();
            }
        }
    }

    private void finish(boolean hasSidecar) {
        team.requireGoing();
        if (Found.exists(files.output()) && !settings.force()) {
            throw new StokerException("[" + files.output()
                    + "] was made by someone else while this pack ran; with --resume --force it is written over");
        }
        boolean isKept = keepIndex && hasSidecar;
        if (isKept) {
            files.tie();
        }
        files.rename(isKept, settings.sync());
    }

    /** Two tries with the same fingerprint write the same bytes to the same places. */
    private String fingerprint(Plan plan) {
        MessageDigest digest = Fingerprints.begin();
        Fingerprints.add(digest, samples.fingerprint());
        // What was filled from an earlier version is not kept. The other parts of a file's version differ between
        // nodes.
        samples.seenFiles().forEach(file -> Fingerprints.add(digest, file.size(), file.modifiedNanos()));
        Fingerprints.add(digest, format.name());
        Fingerprints.add(digest, settings.options().toString());
        for (int r = 0; r < plan.runs(); r++) {
            Run run = plan.run(r);
            Fingerprints.add(digest, run.first(), run.end(), run.offset(), run.length());
        }
        return Fingerprints.end(digest);
    }
}
