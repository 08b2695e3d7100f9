package dev.stoker.stage;

import dev.stoker.StokerException;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import dev.stoker.os.LockFile;
import dev.stoker.stage.node.FileAttributes;
import dev.stoker.stage.node.PrivateFiles;
import dev.stoker.stage.node.ProcessHome;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One folder of staged data; the package says what is in it. A process that uses it has {@linkplain #join joined}, and
 * {@linkplain #leave leaves}.
 */
final class StagedFolder {
    static final String PREFIX = "stoker-";
    private static final String COMPLETE = "complete";
    private static final String KEEP = "keep";
    private static final String LOCK = "lock";
    private static final int RANDOM_BYTES = 16;
    private static final int OWNER_ALONE = 0700;
    /** A folder gets its note within moments; one without is a leftover after this. */
    private static final Duration BIRTH = Duration.ofMinutes(1);

    private static final int DELETE_TRIES = 5;

    private final Path path;
    private @Nullable LockFile lock;

    private StagedFolder(Path path) {
        this.path = path;
    }

    /** Makes a folder that this process has joined. The name cannot be guessed, so nobody can have put it there. */
    static StagedFolder create(StagingPlace place, StagedNote note, boolean keep) {
        var random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        var made =
                new StagedFolder(place.folder().resolve(PREFIX + HexFormat.of().formatHex(random)));
        try {
            PrivateFiles.folder(made.path);
            PrivateFiles.folder(made.path.resolve("data"));
            PrivateFiles.folder(made.path.resolve("users"));
            made.lock = LockFile.file(made.path.resolve(LOCK));
            if (!made.lock.tryShared()) {
                throw new StokerException(made.path, "is locked by another process");
            }
            if (keep) {
                made.keep();
            }
            note.write(made.path);
            return made;
        } catch (IOException e) {
            throw FileErrors.cannotWrite(made.path, e);
        }
    }

    /** This user's folders in a place. Whatever else has such a name, a link or another user's, is passed over. */
    static List<StagedFolder> mine(StagingPlace place) {
        var mine = new ArrayList<StagedFolder>();
        for (Path path : FileProbe.in(place.folder())) {
            if (isMine(path)) {
                mine.add(new StagedFolder(path));
            }
        }
        return mine;
    }

    /** The folder of a path, if it is one of this user's. */
    static Optional<StagedFolder> at(Path path) {
        return isMine(path) ? Optional.of(new StagedFolder(path)) : Optional.empty();
    }

    private static boolean isMine(Path path) {
        try {
            FileAttributes found = FileAttributes.of(path);
            return found.isFolder()
                    && found.isMine()
                    && found.mode() == OWNER_ALONE
                    && path.getFileName().toString().matches(PREFIX + "[0-9a-f]{" + 2 * RANDOM_BYTES + "}");
        } catch (IOException e) {
            return false; // it has just been deleted
        }
    }

    Path path() {
        return path;
    }

    @Nullable
    StagedNote note() {
        return StagedNote.read(path);
    }

    /**
     * Whether all data are there. What was brought before the machine was started anew does not count: if that was a power
     * cut, a part of it may never have reached the disk.
     */
    boolean isComplete() {
        try {
            return Files.readString(path.resolve(COMPLETE)).equals(Files.readString(ProcessHome.BOOT));
        } catch (IOException e) {
            return false;
        }
    }

    void complete() throws IOException {
        Files.write(PrivateFiles.file(path.resolve(COMPLETE)), Files.readAllBytes(ProcessHome.BOOT));
    }

    void keep() throws IOException {
        PrivateFiles.file(path.resolve(KEEP));
    }

    boolean isKept() {
        return FileProbe.exists(path.resolve(KEEP));
    }

    /** Where the data are. */
    Path data(StagedNote note) {
        return path.resolve(note.data());
    }

    Path mountPoint() {
        return path.resolve(MountTable.FOLDER);
    }

    /** The lock of the process that brings the data; closed by the caller. */
    LockFile filling() {
        return LockFile.file(path.resolve("fill"));
    }

    /** Becomes one of those who use the folder; false if it is being deleted, or whoever did so was killed. */
    boolean join() {
        LockFile opened = openLock();
        if (opened == null) {
            return false;
        }
        if (opened.tryShared() && opened.isLinked() && note() != null) {
            lock = opened;
            return true;
        }
        opened.close();
        return false;
    }

    /** Null if there is none. It is not made: a folder that has lost its lock is nearly deleted. */
    private @Nullable LockFile openLock() {
        try {
            return LockFile.existing(path.resolve(LOCK));
        } catch (StokerException e) {
            if (FileProbe.exists(path.resolve(LOCK))) {
                throw e; // whoever took that for a folder without a lock would delete it
            }
            return null;
        }
    }

    /** Stops using it, and deletes it if nobody else does and it is not kept. */
    void leave() {
        LockFile held = lock;
        if (held == null) {
            return;
        }
        lock = null;
        try (held) {
            StagedNote note = note();
            // A note that is there but cannot be read may name an owner.
            boolean owned = note == null ? hasNote() : !note.owner().isEmpty();
            // Once more: somebody may have joined, kept it, and left.
            if (!owned && !isKept() && held.tryAlone() && !isKept()) {
                delete();
            }
        }
    }

    /** Deletes it now if nobody else uses it, whoever owns it and whether it is kept or not. */
    void discard() {
        LockFile held = lock != null ? lock : openLock();
        lock = null;
        if (held != null) {
            try (held) {
                if (held.tryAlone()) {
                    delete();
                }
            }
        }
    }

    /**
     * Deletes it if it is a leftover: nobody holds it, and nobody will come back to it.
     *
     * @return whether it was deleted
     */
    boolean sweep(Map<String, String> environment, CleanupScope which) {
        if (isNewborn() || (isKept() && !which.keptToo()) || !which.takes(life(environment))) {
            return false;
        }
        LockFile opened = openLock();
        if (opened == null) {
            return sweepUnlocked();
        }
        try (opened) {
            if (!opened.tryAlone() || !opened.isLinked() || (isKept() && !which.keptToo())) {
                return false;
            }
            delete();
            return true;
        }
    }

    /** Without a lock nobody can join: whoever made or deleted it was killed, unless that is going on right now. */
    private boolean sweepUnlocked() {
        if (isYoung()) {
            return false;
        }
        delete();
        return true;
    }

    /** Whether somebody who does not hold the lock needs it. A note that cannot be read may name anybody. */
    StagedOwner.Life life(Map<String, String> environment) {
        StagedNote note = note();
        if (note == null) {
            return hasNote() ? StagedOwner.Life.ELSEWHERE : StagedOwner.Life.ENDED;
        }
        ProcessHome here = ProcessHome.current();
        return isFromBefore(note, here)
                ? StagedOwner.Life.ENDED
                : StagedOwner.life(note.owner(), note.home(), here, environment);
    }

    /** Whether everyone who uses it can be seen from here. */
    boolean isHere(StagedNote note, ProcessHome here) {
        return note.home().sharesLocks(here) || isFromBefore(note, here);
    }

    /** Whether it is left from before this node restarted. On a shared filesystem another node may have the same name. */
    private boolean isFromBefore(StagedNote note, ProcessHome here) {
        return note.home().isEarlier(here) && StagingPlace.isOfOneNode(path);
    }

    /** Whether there is a note, if only one that cannot be read. */
    boolean hasNote() {
        return FileProbe.exists(path.resolve(StagedNote.NAME));
    }

    private boolean isNewborn() {
        return !hasNote() && isYoung();
    }

    private boolean isYoung() {
        try {
            Instant changed = Files.getLastModifiedTime(path).toInstant();
            return changed.isAfter(Instant.now().minus(BIRTH));
        } catch (IOException e) {
            return true; // it is gone
        }
    }

    /** Whether anybody holds it. */
    boolean isUsed() {
        LockFile opened = openLock();
        if (opened == null) {
            return false;
        }
        try (opened) {
            return !opened.tryAlone();
        }
    }

    /** Whether another process deletes it at this moment. */
    boolean isBeingDeleted() {
        LockFile opened = note() == null ? openLock() : null;
        if (opened == null) {
            return false;
        }
        try (opened) {
            return !opened.tryShared();
        }
    }

    /** A worker that has not noticed yet may still make files: then once more. */
    private void delete() {
        MountTable.end(mountPoint());
        for (int i = 1; i < DELETE_TRIES; i++) {
            try {
                deleteInOrder();
                return;
            } catch (IOException e) {
                // Something was made in a folder after that was listed.
            }
        }
        try {
            deleteInOrder();
        } catch (IOException e) {
            throw new StokerException(
                    path, "cannot be deleted: " + e + "; delete it by hand, it takes room on this node", e);
        }
    }

    /**
     * The note goes early, so that nobody finds a part of the data, and the lock last, so that nobody takes it before all
     * else is gone. The watcher does the same.
     */
    private void deleteInOrder() throws IOException {
        for (String first : new String[] {KEEP, StagedNote.NAME, COMPLETE}) {
            Files.deleteIfExists(path.resolve(first));
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path, entry -> !entry.endsWith(LOCK))) {
            for (Path entry : entries) {
                PrivateFiles.delete(entry);
            }
        } catch (NoSuchFileException e) {
            return; // another process was faster
        }
        PrivateFiles.delete(path);
    }
}
