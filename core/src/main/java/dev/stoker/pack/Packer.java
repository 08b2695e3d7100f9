package dev.stoker.pack;

import dev.stoker.StokerException;
import dev.stoker.format.Ability;
import dev.stoker.format.Format;
import dev.stoker.format.Options;
import dev.stoker.format.Plan;
import dev.stoker.format.Sidecar;
import dev.stoker.index.Identity;
import dev.stoker.index.IndexLayout;
import dev.stoker.memory.MappedFile;
import dev.stoker.memory.OutputFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Packs samples into a container: plan, fill, seal.
 *
 * <p>Until the seal everything has names of its own: {@code OUT.partial} for the container, {@code OUT.stkx.partial}
 * for its sidecar, {@code OUT.partial.journal} for what is done, {@code OUT.partial.notes} for what late runs need. The seal syncs, then renames; the container's own
 * rename comes last, so whoever sees its name sees all of it.
 */
public final class Packer {
    private final Samples samples;
    private final Format format;
    private final Settings settings;
    private final Path output;
    /** The folder of the name that was asked for, which must be there. */
    private final @Nullable Path folder;

    private final Path partial;
    private final Path partialIndex;
    private final Path journalPath;
    private final Progress progress;
    private boolean keepIndex = true;

    /**
     * How to pack.
     *
     * @param workers threads that fill
     * @param resume go on with what an earlier, killed try left; begin anew if there is nothing
     * @param force write over an existing container, and throw away what an earlier try left
     * @param sync whether the seal waits for the disk
     */
    public record Settings(Options options, int workers, boolean resume, boolean force, boolean sync) {}

    /** What was packed. {@code resumedRuns} of the {@code runs} were there already. */
    public record Result(long samples, long bytes, int runs, int resumedRuns) {}

    public Packer(Samples samples, Format format, Path output, Settings settings, Progress progress) {
        this.samples = samples;
        this.format = format;
        this.settings = settings;
        Path asked = output.toAbsolutePath().normalize();
        this.output = format.fileFor(asked, settings.options());
        this.folder = asked.getParent();
        this.partial = sibling(this.output, ".partial");
        this.partialIndex = sibling(Sidecar.beside(this.output), ".partial");
        this.journalPath = Journal.beside(partial);
        this.progress = progress;
    }

    private static Path sibling(Path path, String ending) {
        return path.resolveSibling(path.getFileName() + ending);
    }

    /** The container alone is wanted: its sidecar, and with it the checksums, is thrown away at the end. */
    public Packer withoutIndex() {
        keepIndex = false;
        return this;
    }

    /** Places every byte, and writes nothing. */
    public Plan plan() {
        refuseSplits();
        progress.phase("planning");
        return format.plan(samples, settings.options());
    }

    private void refuseSplits() {
        if (!samples.splits().isEmpty() && !format.can(Ability.SPLITS)) {
            throw new StokerException("format " + format.name() + " has no place for splits; pack each split into a"
                    + " container of its own, or choose a format that has (see: stoker formats)");
        }
    }

    public Result run() {
        refuseExisting();
        if (format.isMade(settings.options())) {
            return make();
        }
        Plan plan = plan();
        makeFolder();
        refuseFullDisk(plan);
        // The journal is this output's lock: nobody may begin anew on the partial files before they are renamed.
        try (var journal = Journal.open(journalPath, fingerprint(plan), settings.resume())) {
            Result result = fill(plan, journal);
            finish(!plan.index().isContainer());
            return result;
        }
    }

    /** Has the whole container made by another program; a killed try begins anew. */
    private Result make() {
        refuseSplits();
        makeFolder();
        var made = new MadeContainer(samples, format);
        try (var journal = Journal.open(journalPath, samples.fingerprint(), false)) {
            deletePartials();
            progress.begin("filling", samples.count(), totalBytes());
            made.make(settings.options(), partial, partialIndex, progress);
            progress.phase("sealing");
            long bytes = Files.size(partial);
            if (settings.sync()) {
                sync(partial);
                sync(partialIndex);
            }
            finish(true);
            return new Result(samples.count(), bytes, 1, 0);
        } catch (IOException e) {
            throw OutputFile.cannotWrite(partial, e);
        }
    }

    private static void sync(Path path) {
        try (var file = OutputFile.open(path)) {
            file.sync();
        }
    }

    private long totalBytes() {
        int data = samples.schema().place(Field.DATA);
        long bytes = 0;
        for (long i = 0; i < samples.count(); i++) {
            bytes += samples.length(i, data);
        }
        return bytes;
    }

    private void refuseExisting() {
        if (Files.exists(output) && !settings.force()) {
            throw new StokerException("[" + output + "] is there already; --force writes over it");
        }
        if (Files.exists(journalPath) && !settings.resume() && !settings.force()) {
            throw new StokerException("[" + partial + "] is what an earlier pack left, or one that is running now; "
                    + "--resume goes on with it, --force begins anew");
        }
        if (folder == null || !Files.isDirectory(folder)) {
            throw new StokerException("[" + output + "] cannot be written: its folder does not exist");
        }
    }

    /** The folder of the output itself, where the format puts it into one of its own. */
    private void makeFolder() {
        try {
            Files.createDirectories(Objects.requireNonNull(output.getParent()));
        } catch (IOException e) {
            throw OutputFile.cannotWrite(output, e);
        }
    }

    private void refuseFullDisk(Plan plan) {
        try {
            long there = Files.exists(partial) ? Files.size(partial) : 0;
            long free = Files.getFileStore(partial.getParent()).getUsableSpace();
            long needed = plan.length()
                    + (plan.index().isContainer() ? 0 : plan.index().length());
            if (needed > free + there) {
                throw new StokerException(
                        "[" + output + "] needs " + needed + " bytes but its disk has only " + free + " free");
            }
        } catch (IOException e) {
            throw OutputFile.cannotWrite(partial, e);
        }
    }

    private Result fill(Plan plan, Journal journal) {
        IndexLayout index = plan.index();
        if (journal.earlier().isEmpty()) {
            deletePartials();
        }
        try (var out = Output.open(partial, plan.isTree());
                var notes = Notes.open(partial, plan);
                var sidecar = index.isContainer() ? null : OutputFile.open(partialIndex)) {
            OutputFile indexFile = sidecar != null ? sidecar : Objects.requireNonNull(out.file());
            if (out.file() != null) {
                out.file().resize(plan.length());
            }
            indexFile.resize(index.length());
            indexFile.write(index.metaOffset(), index.metaBytes());
            int resumed = fillRuns(plan, out, indexFile, notes, journal);
            progress.phase("sealing");
            fillLateRuns(plan, out, indexFile, notes);
            seal(plan, out, indexFile);
            return new Result(samples.count(), plan.length(), plan.runs(), resumed);
        }
    }

    /** Fills what is not done yet; returns how many runs were. */
    private int fillRuns(Plan plan, Output out, OutputFile indexFile, @Nullable Notes notes, Journal journal) {
        var given = new GivenValues(samples, plan);
        progress.begin("filling", samples.count(), plan.length());
        var resumed = new AtomicInteger();
        var indexRuns = new IndexRuns(samples, plan.index(), indexFile);
        Workers.run(settings.workers(), plan.runs() - plan.lateRuns(), () -> new Workers.Worker() {
            private final RunBuffer buffer = new RunBuffer(samples, plan, out, indexFile, notes);

            @Override
            public void work(long piece) {
                int run = (int) piece;
                Integer earlier = journal.earlier().get(run);
                if (earlier != null && buffer.adopt(run, earlier)) {
                    resumed.incrementAndGet();
                } else {
                    journal.done(run, buffer.fill(run));
                }
                given.add(buffer);
                progress.add(plan.run(run).samples(), plan.run(run).length());
            }

            @Override
            public void close() {
                buffer.close();
            }
        });
        given.requireAll();
        Workers.run(settings.workers(), indexRuns.pieces(), () -> indexRuns::fill);
        return resumed.get();
    }

    /** These are small and follow from all others, so none is taken over from an earlier try. */
    private void fillLateRuns(Plan plan, Output out, OutputFile indexFile, @Nullable Notes notes) {
        int first = plan.runs() - plan.lateRuns();
        Workers.run(settings.workers(), plan.lateRuns(), () -> new Workers.Worker() {
            private final RunBuffer buffer = new RunBuffer(samples, plan, out, indexFile, notes);

            @Override
            public void work(long piece) {
                buffer.fill(first + (int) piece);
            }

            @Override
            public void close() {
                buffer.close();
            }
        });
    }

    private void seal(Plan plan, Output out, OutputFile indexFile) {
        Identity identity = plan.index().isContainer() || plan.isTree() ? Identity.NONE : Identity.of(partial);
        try (var filled = MappedFile.open(indexFile.path())) {
            indexFile.write(0, plan.index().seal(filled.bytes(), identity, true));
        }
        if (settings.sync()) {
            indexFile.sync();
            out.sync();
        }
    }

    /** Gives everything its final name, the container last. */
    private void finish(boolean hasSidecar) {
        if (Files.exists(output) && !settings.force()) {
            throw new StokerException("[" + output
                    + "] was made by someone else while this pack ran; with --resume --force it is written over");
        }
        try {
            if (!keepIndex) {
                Files.delete(partialIndex);
            } else if (hasSidecar) {
                Files.move(partialIndex, Sidecar.beside(output), StandardCopyOption.ATOMIC_MOVE);
            }
            if (Files.isDirectory(output)) {
                deleteTree(output);
            }
            Files.move(partial, output, StandardCopyOption.ATOMIC_MOVE);
            Notes.delete(partial);
            Files.deleteIfExists(journalPath);
            if (settings.sync()) {
                syncFolder(output.getParent());
            }
        } catch (IOException e) {
            throw OutputFile.cannotWrite(output, e);
        }
    }

    private static void syncFolder(@Nullable Path folder) throws IOException {
        if (folder != null) {
            try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    private void deletePartials() {
        try {
            Files.deleteIfExists(partialIndex);
            Notes.delete(partial);
            if (Files.isDirectory(partial)) {
                deleteTree(partial);
            } else {
                Files.deleteIfExists(partial);
            }
        } catch (IOException e) {
            throw OutputFile.cannotWrite(partial, e);
        }
    }

    private static void deleteTree(Path folder) throws IOException {
        try (Stream<Path> below = Files.walk(folder)) {
            for (Path path : below.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** Two tries with the same fingerprint write the same bytes to the same places. */
    private String fingerprint(Plan plan) {
        MessageDigest digest = Fingerprints.begin();
        Fingerprints.add(digest, samples.fingerprint());
        Fingerprints.add(digest, format.name());
        Fingerprints.add(digest, settings.options().toString());
        for (int r = 0; r < plan.runs(); r++) {
            Fingerprints.add(digest, plan.run(r).toString());
        }
        return Fingerprints.end(digest);
    }
}
