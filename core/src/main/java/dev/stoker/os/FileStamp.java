package dev.stoker.os;

import dev.stoker.StokerException;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A file as it was before anything was read of it. Whoever reads it piece by piece asks afterwards whether it still is:
 * the pieces of a file that was written meanwhile belong to no version of it.
 *
 * @param changedNanos when it was last changed in any way; programs can set the time of modification back, but not this
 */
public record FileStamp(Path path, long size, long modifiedNanos, long changedNanos, long device, long inode) {
    /** Looks at a file of this machine. */
    public static FileStamp of(Path path) throws IOException {
        // It is open meanwhile, since a client of NFS asks the server then and may answer from its memory otherwise.
        try (var open = RegularFile.open(path)) {
            return Posix.see(path);
        }
    }

    /**
     * Reports a file that is no longer what it was.
     *
     * @param doing what was done with it, such as "packed"
     */
    public void requireUnchanged(String doing) {
        FileStamp now;
        try {
            now = of(path);
        } catch (IOException e) {
            throw FileErrors.cannotRead(path, e);
        }
        if (!now.equals(this)) {
            String how = size != now.size
                    ? "it had " + size + " bytes and now has " + now.size
                    : inode != now.inode || device != now.device
                            ? "another file has its name now"
                            : "it was written or renamed, or its permissions were changed";
            throw new StokerException(
                    path,
                    "changed while it was being " + doing + ": " + how
                            + ". What was read may be a part of each version; retry when nothing writes to it");
        }
    }
}
