package dev.stoker.stage;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Sidecar;
import dev.stoker.os.FileErrors;
import dev.stoker.os.LockFile;
import dev.stoker.stage.copy.Copier;
import dev.stoker.stage.copy.CopyJournal;
import dev.stoker.stage.copy.CopyPlan;
import dev.stoker.stage.copy.StageSource;
import dev.stoker.stage.copy.StagedForm;
import dev.stoker.stage.node.PrivateFiles;
import dev.stoker.stage.node.ProcessHome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings data to a place, once for all processes that need them there, and cleans up what earlier ones left.
 *
 * <p>Processes of one job on a node find each other by the note of the folder. The user's {@link PlaceLock} is held while
 * one looks and makes a folder; it is not waited for longer than {@link #PATIENCE}: then every process stages for itself.
 */
public final class Stager {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long LOOK_MILLIS = 20;

    private final StagingPlace place;
    private final Map<String, String> environment;
    private final Progress progress;
    private final Consumer<StagedFolder> joined;

    public Stager(StagingPlace place, Map<String, String> environment, Progress progress) {
        this(place, environment, progress, folder -> {});
    }

    /**
     * For a process that needs the data as long as it lives.
     *
     * @param joined is told the folder as soon as it is there, before any data are
     */
    Stager(StagingPlace place, Map<String, String> environment, Progress progress, Consumer<StagedFolder> joined) {
        this.place = place;
        this.environment = environment;
        this.progress = progress;
        this.joined = joined;
    }

    /**
     * What is wanted.
     *
     * @param job processes that give the same name share a copy; empty to share only what is kept
     * @param keep whether it stays when nobody uses it
     * @param owned whether it stays as long as the Slurm job or session that this process belongs to
     */
    public record Request(StageSource source, StagedForm form, String job, boolean keep, boolean owned) {
        /** Where the data are, below the folder. A tree has the name of its archive without the ending. */
        String dataName() {
            if (form == StagedForm.MOUNT) {
                return MountTable.FOLDER;
            }
            String name = String.valueOf(source.path().getFileName());
            int ending = name.toLowerCase(Locale.ROOT).lastIndexOf(".tar."); // with a compression behind
            int dot = form != StagedForm.TREE || source.isFolder() ? -1 : ending > 0 ? ending : name.lastIndexOf('.');
            return "data/" + (dot > 0 ? name.substring(0, dot) : name);
        }
    }

    /** Brings the data, or finds them there. */
    public StagedData stage(Request request) {
        sweep(CleanupScope.LEFTOVERS);
        while (true) {
            StagedFolder folder = findOrMake(request);
            try {
                joined.accept(folder);
                if (fill(folder, request)) {
                    return new StagedData(folder, folder.path().resolve(request.dataName()));
                }
            } catch (RuntimeException | Error e) {
                folder.leave();
                throw e;
            }
            folder.leave();
        }
    }

    private StagedFolder findOrMake(Request request) {
        // What takes time is found out before the place is locked.
        String identity = request.form == StagedForm.MOUNT ? "" : request.source.identity();
        String owner = request.owned ? StagedOwner.current(environment) : StagedOwner.NONE;
        var wanted = new StagedNote(
                request.source.path().toString(),
                request.form,
                identity,
                request.job,
                owner,
                ProcessHome.current(),
                request.dataName());
        try (PlaceLock alone = PlaceLock.await(place, PATIENCE)) {
            StagedFolder found = alone == null ? null : find(wanted);
            if (found != null) {
                if (request.keep) {
                    found.keep();
                }
                return found;
            }
            return StagedFolder.create(place, wanted, request.keep);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(place.folder(), e);
        }
    }

    /** A folder that has what is wanted, already joined. */
    private @Nullable StagedFolder find(StagedNote wanted) {
        for (StagedFolder folder : StagedFolder.mine(place)) {
            StagedNote note = folder.note();
            if (note != null && isSame(note, wanted) && isForThis(folder, note, wanted) && folder.join()) {
                return folder;
            }
        }
        return null;
    }

    private static boolean isSame(StagedNote note, StagedNote wanted) {
        return note.form() == wanted.form()
                && note.source().equals(wanted.source())
                && note.identity().equals(wanted.identity());
    }

    /**
     * Whether a copy may be used. What is owned is used without holding its lock, so it must stay as long as the owner of
     * what is wanted; and locks are not seen on another node.
     */
    private static boolean isForThis(StagedFolder folder, StagedNote note, StagedNote wanted) {
        boolean sameJob = !wanted.job().isEmpty() && note.job().equals(wanted.job());
        boolean stays = wanted.owner().equals(StagedOwner.NONE)
                ? sameJob || !note.owner().equals(StagedOwner.NONE)
                : note.owner().equals(wanted.owner()) && note.home().equals(wanted.home());
        return (stays || folder.isKept()) && folder.isHere(note, wanted.home());
    }

    /** Waits until the data are there, or brings them; false if the folder was deleted meanwhile. */
    private boolean fill(StagedFolder folder, Request request) {
        while (!isThere(folder, request)) {
            try (LockFile filling = folder.filling()) {
                if (filling.tryAlone() && !isThere(folder, request)) {
                    if (folder.note() == null) {
                        return false;
                    }
                    bring(folder, request);
                }
            } catch (IOException e) {
                throw FileErrors.cannotWrite(folder.path(), e);
            }
            pause();
        }
        return true;
    }

    /** A mount must answer too: its process may have been killed. */
    private static boolean isThere(StagedFolder folder, Request request) {
        return folder.isComplete() && (request.form != StagedForm.MOUNT || MountTable.isAlive(folder.mountPoint()));
    }

    private void bring(StagedFolder folder, Request request) throws IOException {
        if (request.form == StagedForm.MOUNT) {
            MountTable.serve(request.source.path(), folder.mountPoint());
            folder.complete();
            return;
        }
        Path to = folder.path().resolve(request.dataName());
        Path noted = folder.path().resolve("journal");
        try (CopyPlan plan = request.source.open(request.form);
                CopyJournal journal = CopyJournal.open(noted)) {
            var copier = new Copier(plan, to, journal, progress);
            requireRoom(plan, copier, folder, request);
            copier.run();
            plan.requireUnchanged();
        }
        request.source.requireUnchanged();
        if (request.form == StagedForm.FILE && !request.source.isFolder()) {
            request.source.compare(to);
            Sidecar.dateCopy(request.source.path(), to);
            StageSource.verify(to, progress);
        }
        folder.complete();
    }

    /** What is being deleted just now, as by the job before, gives room soon: that is waited for. */
    private void requireRoom(CopyPlan plan, Copier copier, StagedFolder folder, Request request) {
        long there = copier.noted();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            boolean moreSoon = System.nanoTime() < end && isAnyBeingDeleted();
            try {
                var room = new FreeSpace(place, environment);
                CopyPlan.Need need = plan.need(room.blockBytes());
                var left = new CopyPlan.Need(Math.max(0, need.bytes() - there), there > 0 ? 0 : need.files());
                room.require(left, request.source.path().toString());
                return;
            } catch (StokerException e) {
                if (!moreSoon) {
                    folder.discard();
                    throw e;
                }
            }
            pause();
        }
    }

    private boolean isAnyBeingDeleted() {
        return StagedFolder.mine(place).stream().anyMatch(StagedFolder::isBeingDeleted);
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StokerException("interrupted", e);
        }
    }

    /**
     * Deletes what nobody needs any more.
     *
     * @return the folders that are gone
     */
    public List<Path> sweep(CleanupScope which) {
        var gone = new ArrayList<Path>();
        for (StagedFolder folder : StagedFolder.mine(place)) {
            if (folder.sweep(environment, which)) {
                gone.add(folder.path());
            }
        }
        return gone;
    }

    /**
     * What is staged here, as a list shows it.
     *
     * @param form empty, as the source, if the note cannot be read
     * @param elsewhere the node or container it belongs to, if whether that needs it cannot be told from here; else empty
     */
    public record Listed(
            Path folder, String source, String form, Path data, String state, boolean isKept, String elsewhere) {

        /** The size of the existing files. A mount takes no room, and unreadable files do not count. */
        public long bytes() {
            boolean hasFiles = !form.isEmpty() && !form.equals(StagedForm.MOUNT.name());
            return hasFiles ? PrivateFiles.bytes(folder.resolve("data")) : 0;
        }
    }

    /** Tells of everything that this user has staged here. */
    public void list(Consumer<Listed> to) {
        ProcessHome here = ProcessHome.current();
        for (StagedFolder folder : StagedFolder.mine(place)) {
            StagedNote note = folder.note();
            if (note != null) {
                StagedOwner.Life life = folder.life(environment);
                String elsewhere =
                        life == StagedOwner.Life.ELSEWHERE ? note.home().describe(here) : "";
                String state = state(folder, life) + (elsewhere.isEmpty() ? "" : " by " + elsewhere);
                Path data = folder.data(note);
                to.accept(new Listed(
                        folder.path(), note.source(), note.form().name(), data, state, folder.isKept(), elsewhere));
            } else if (folder.hasNote()) {
                String state = "its note cannot be read";
                to.accept(new Listed(folder.path(), "", "", folder.path(), state, folder.isKept(), "an unknown node"));
            }
        }
    }

    private static String state(StagedFolder folder, StagedOwner.Life life) {
        String state = folder.isUsed()
                ? "in use"
                : folder.isKept() ? "kept" : life == StagedOwner.Life.ENDED ? "left over" : "owned";
        // Only on its own node can be told whether it is complete.
        return life == StagedOwner.Life.ELSEWHERE || folder.isComplete() ? state : state + ", not complete";
    }
}
