package dev.stoker.stage;

import dev.stoker.StokerException;
import dev.stoker.os.FileOwnership;
import dev.stoker.stage.node.FileAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A folder of the node that many users write to, such as {@code /dev/shm}. In one that is sticky, nobody but the owner
 * can rename or replace what is there: a folder that was seen to be one's own stays one's own, and its path is safe, as
 * far as the folders above are: see {@link FileOwnership#danger}.
 */
public record StagingPlace(Path folder) {
    public static final String SHM = "shm";
    public static final String LOCAL = "local";
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    /** Filesystems that several nodes do not share. */
    private static final Set<String> LOCAL_TYPES =
            Set.of("tmpfs", "ramfs", "ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs");

    private static final int STICKY = 01000;
    private static final int WRITABLE_BY_OTHERS = 022;

    /** The place that a user names: {@value #SHM}, {@value #LOCAL}, or a folder. */
    public static StagingPlace of(String name, Map<String, String> environment) {
        return switch (name) {
            case SHM -> at(SHARED_MEMORY);
            case LOCAL -> at(local(environment));
            default -> at(Path.of(name));
        };
    }

    /** Those that are looked through for what is staged. */
    public static List<StagingPlace> usual(Map<String, String> environment) {
        var places = new ArrayList<StagingPlace>();
        for (Path folder : new Path[] {SHARED_MEMORY, local(environment)}) {
            try {
                StagingPlace place = at(folder);
                if (!places.contains(place)) {
                    places.add(place);
                }
            } catch (StokerException e) {
                // Not there, or refused: then nothing was staged there either.
            }
        }
        return places;
    }

    /** The node's own disk: what the site or the user says, else where temporary files go. */
    private static Path local(Map<String, String> environment) {
        for (String variable : new String[] {"STOKER_LOCAL", "SLURM_TMPDIR", "TMPDIR"}) {
            String value = environment.getOrDefault(variable, "");
            if (!value.isEmpty()) {
                return Path.of(value);
            }
        }
        return Path.of("/tmp");
    }

    /** A folder in which others can do no harm. */
    public static StagingPlace at(Path folder) {
        try {
            Path real = folder.toRealPath();
            FileAttributes found = FileAttributes.of(real);
            if (!found.isFolder()) {
                throw new StokerException(folder, "should be a folder to stage into, but is a file");
            }
            boolean foreign = found.user() != 0 && !found.isMine();
            if (foreign || ((found.mode() & WRITABLE_BY_OTHERS) != 0 && (found.mode() & STICKY) == 0)) {
                throw new StokerException(
                        folder,
                        "cannot be staged into: "
                                + (foreign ? "it belongs to another user" : "other users could replace its contents")
                                + " (it must belong to you or root and, if world-writable, have the sticky bit); choose"
                                + " another with --to");
            }
            String danger = FileOwnership.danger(real);
            if (danger != null) {
                throw new StokerException(
                        folder,
                        "cannot be staged into: others could replace it, since " + danger
                                + "; choose another with --to");
            }
            return new StagingPlace(real);
        } catch (IOException e) {
            throw new StokerException(folder, "cannot be staged into: there is no such folder", e);
        }
    }

    /** Whether what is written here takes memory. */
    boolean isMemory() {
        try {
            return List.of("tmpfs", "ramfs").contains(Files.getFileStore(folder).type());
        } catch (IOException e) {
            return folder.startsWith(SHARED_MEMORY);
        }
    }

    /** Whether only one node at a time can write what is at a path, and no other one sees it. */
    static boolean isOfOneNode(Path path) {
        try {
            return LOCAL_TYPES.contains(Files.getFileStore(path).type());
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return folder.toString();
    }
}
