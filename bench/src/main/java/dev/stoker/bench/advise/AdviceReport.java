package dev.stoker.bench.advise;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.format.Formats;
import dev.stoker.os.FileErrors;
import dev.stoker.stage.StagingChoice;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks at data, storage and node, and has the {@link Advisor} say what to do.
 *
 * @param seen what the data are
 * @param measured what the storage gives
 * @param node what the allocation has
 */
public record AdviceReport(DataSurvey seen, StorageTrial measured, NodeFacts node, Advice advice) {
    private static final int MOST_FILES = 4096;
    // Parts of the time that is given; what is over early leaves its rest to nobody.
    private static final double LISTING = 0.4;
    private static final double LOOKING = 0.15;
    private static final double READING = 0.2;
    private static final double CONTENT = 0.05;
    private static final double TRIAL = 0.15;
    /** More trial makes the figure no better. */
    private static final double MOST_TRIAL_SECONDS = 2;

    /**
     * Looks and advises.
     *
     * @param seconds what all the looking may take, about
     */
    public static AdviceReport of(
            AdviseRequest request, double seconds, Map<String, String> environment, Progress progress) {
        Path data = request.data();
        if (!Files.exists(data)) {
            throw FileErrors.cannotRead(data, new NoSuchFileException(data.toString()));
        }
        progress.phase("looking at the node");
        Path folder = Files.isDirectory(parent(request.output())) ? parent(request.output()) : data;
        NodeFacts node = NodeLook.look(data, folder, environment);
        Looked looked =
                ContainerLook.isContainer(data) ? container(data, seconds, progress) : folder(data, seconds, progress);
        Staging staging = (at, isFolder, form, bytes, files) ->
                StagingChoice.forecast(at, isFolder, form, bytes, files, environment);
        Advice advice = Advisor.advise(looked.seen, looked.measured, node, request, staging);
        return new AdviceReport(looked.seen, looked.measured, node, advice);
    }

    private record Looked(DataSurvey seen, StorageTrial measured) {}

    private static Path parent(Path path) {
        Path parent = path.toAbsolutePath().getParent();
        return parent == null ? path : parent;
    }

    private static Looked container(Path data, double seconds, Progress progress) {
        progress.phase("looking at the container");
        DataSurvey seen = ContainerLook.look(data, seconds * LISTING);
        progress.phase("reading");
        Path file = Formats.fileOf(data);
        var notes = new ArrayList<String>();
        StorageTrial.Reads reads = null;
        if (Files.isRegularFile(file) && seen.container() != null) {
            var target = new ReadProbe.Target(file, seen.container().storedBytes());
            reads = ReadProbe.measure(List.of(target), Math.max(1, seen.sizes().median()), seconds * READING);
        }
        noteCache(reads, notes);
        return new Looked(seen, new StorageTrial(null, reads, null, notes));
    }

    private static Looked folder(Path data, double seconds, Progress progress) {
        progress.phase("listing");
        FolderScan.Found found = FolderScan.scan(data, MOST_FILES, Deadline.after(seconds * LISTING), progress);
        if (found.files() == 0) {
            throw new StokerException(
                    data,
                    (found.isAll()
                                    ? "has no files, so there is nothing to advise on"
                                    : "was not listed within " + seconds * LISTING + " s; increase --seconds")
                            + (found.problems().count() > 0
                                    ? "; " + found.problems().first()
                                    : ""));
        }
        progress.phase("opening files");
        FileLook.Found looked = FileLook.look(data, found.names(), seconds * LOOKING);
        List<FileLook.Look> files = looked.files();
        if (files.isEmpty()) {
            throw new StokerException(
                    data,
                    "none of " + found.names().size() + " files can be read, "
                            + (looked.problems().count() > 0
                                    ? "the first: " + looked.problems().first()
                                    : "because the storage is too slow; increase --seconds"));
        }
        progress.phase("reading");
        StorageTrial.Reads reads = ReadProbe.measure(
                files.stream()
                        .map(file -> new ReadProbe.Target(Contents.path(data, file), file.size()))
                        .toList(),
                0,
                seconds * READING);
        progress.phase("trial pack");
        double time = Math.min(MOST_TRIAL_SECONDS, seconds * TRIAL);
        Trial.Outcome trial = Trial.run(data, Trial.some(files, reads, time), time);
        var notes = new ArrayList<String>();
        noteCache(reads, notes);
        if (!trial.problem().isEmpty()) {
            notes.add(trial.problem());
        }
        progress.phase("looking at contents");
        DataSurvey seen = seen(data, found, looked, trial, Deadline.after(seconds * CONTENT));
        return new Looked(seen, new StorageTrial(looked.metadata(), reads, trial.packed(), notes));
    }

    private static DataSurvey seen(
            Path data, FolderScan.Found found, FileLook.Found looked, Trial.Outcome trial, Deadline deadline) {
        List<FileLook.Look> files = looked.files();
        SizeSpread sizes =
                SizeSpread.of(files.stream().mapToLong(FileLook.Look::size).toArray());
        DataSurvey.Problems first = found.problems().count() > 0 ? found.problems() : looked.problems();
        var problems = new DataSurvey.Problems(
                found.problems().count() + looked.problems().count(), first.first());
        return new DataSurvey(
                found.files(),
                found.folders(),
                found.isAll(),
                files.size(),
                Math.round(sizes.mean() * found.files()),
                sizes,
                Contents.kinds(files),
                Contents.arrayType(files),
                Contents.pictures(data, files, deadline),
                Contents.duplicates(data, files, deadline),
                trial.remains(),
                problems,
                null);
    }

    private static void noteCache(StorageTrial.@Nullable Reads reads, List<String> notes) {
        if (reads != null && !reads.isCold()) {
            notes.add("the page cache could not be dropped (data in memory, not written out yet, or another user's), so"
                    + " what was read may have come from there");
        }
    }
}
