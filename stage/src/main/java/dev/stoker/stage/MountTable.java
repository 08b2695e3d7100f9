package dev.stoker.stage;

import dev.stoker.StokerException;
import dev.stoker.os.FilesystemSpace;
import dev.stoker.os.FuseDevice;
import dev.stoker.os.LocalSocket;
import dev.stoker.stage.node.PrivateFiles;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Mounted containers, as the system knows them. */
public final class MountTable {
    static final String FOLDER = "mount";
    // Fields of the table of mounts.
    private static final int DEVICE = 2;
    private static final int POINT = 4;

    private MountTable() {}

    /** Why nothing can be mounted here; null if it can. */
    public static @Nullable String refusal() {
        if (!Files.exists(FuseDevice.PATH)) {
            return "there is no " + FuseDevice.PATH + " on this node, so the system has no FUSE";
        }
        if (!Files.isReadable(FuseDevice.PATH) || !Files.isWritable(FuseDevice.PATH)) {
            return FuseDevice.PATH
                    + " is not accessible to you; ask your administrators (it is world-accessible on most"
                    + " clusters)";
        }
        if (LocalSocket.user() != 0 && !isInstalled("fusermount3")) {
            return "the command fusermount3 (package fuse3), which mounts for users, is missing";
        }
        return null;
    }

    private static boolean isInstalled(String program) {
        for (String folder : String.valueOf(System.getenv("PATH")).split(File.pathSeparator)) {
            if (Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }

    /** Whether something is mounted exactly there, alive or dead. */
    public static boolean isMounted(Path point) {
        return device(point) != null;
    }

    /** The number of the device that is mounted there, as {@code 0:45}; null if none is. */
    private static @Nullable String device(Path point) {
        String wanted = escaped(real(point).toString());
        String found = null;
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
                String[] fields = line.split(" ");
                if (fields.length > POINT && fields[POINT].equals(wanted)) {
                    found = fields[DEVICE]; // the last one covers those before
                }
            }
            return found;
        } catch (IOException e) {
            throw new StokerException("[/proc/self/mountinfo] cannot be read: " + e.getMessage(), e);
        }
    }

    /** The path as the table has it, without links. One that is not there has no mount, whatever its name. */
    private static Path real(Path point) {
        try {
            return point.toRealPath();
        } catch (IOException e) {
            return point.toAbsolutePath().normalize();
        }
    }

    /** The table writes what would end a field in octal. */
    private static String escaped(String path) {
        return path.replace("\\", "\\134")
                .replace(" ", "\\040")
                .replace("\t", "\\011")
                .replace("\n", "\\012");
    }

    /**
     * Whether it answers: one whose process was killed is still mounted, but does not. It is asked for its size, since
     * all else the kernel may answer from what it remembers.
     */
    public static boolean isAlive(Path point) {
        try {
            return FilesystemSpace.of(point).blockBytes() > 0;
        } catch (StokerException e) {
            return false;
        }
    }

    /** Makes a folder ready to be mounted on: heals one whose mount is dead, and refuses one that is in use. */
    public static void prepare(Path point) {
        if (isMounted(point)) {
            if (isAlive(point)) {
                throw new StokerException(
                        point,
                        "is busy: something is mounted there; choose another folder, or: stoker unmount " + point);
            }
            unmount(point);
        }
        try {
            if (!Files.exists(point)) {
                PrivateFiles.folder(point);
            }
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(point)) {
                if (entries.iterator().hasNext()) {
                    throw new StokerException(
                            point, "is not empty; what is in it would be hidden, so choose another folder");
                }
            }
        } catch (IOException e) {
            throw new StokerException(point, "cannot be mounted on: " + e, e);
        }
    }

    /** Mounts a container by a process of its own, which lives until it is unmounted; returns when it answers. */
    public static void serve(Path container, Path point) {
        String refusal = refusal();
        if (refusal != null) {
            throw new StokerException(container, "cannot be mounted: " + refusal);
        }
        prepare(point);
        MountProcess.start(container, point);
    }

    /** Takes away what is mounted there, also if its process is dead; what is not mounted is well. */
    public static void unmount(Path point) {
        if (!isMounted(point)) {
            return;
        }
        try {
            FuseDevice.unmount(real(point));
        } catch (IOException e) {
            throw new StokerException(point, "cannot be unmounted: " + e.getMessage(), e);
        }
    }

    /**
     * The same, and its process ends even if a program that was left behind has files of it open: that one gets errors.
     * Where the system gives no way to do so, the process ends when those are closed.
     */
    static void end(Path point) {
        String device = device(point);
        if (device != null && device.startsWith("0:")) {
            Path abort = Path.of("/sys/fs/fuse/connections", device.substring(2), "abort");
            try {
                Files.writeString(abort, "1", StandardOpenOption.WRITE);
            } catch (IOException e) {
                // Not there, or not allowed.
            }
        }
        unmount(point);
    }

    /** Deletes the folder that Stoker made for a mount point, if it did. */
    public static void forget(Path point) {
        Path real = real(point);
        Path parent = real.getParent();
        if (parent != null && real.endsWith(FOLDER)) {
            StagedFolder.at(parent).ifPresent(StagedFolder::discard);
        }
    }
}
